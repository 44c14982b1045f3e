internal import Glibc
internal import Support

/// Decides whether a file is a plugin that this host can load, before any of its code runs.
///
/// It is checked in this order, and the first check that fails is the problem:
/// 1. it has one entry, `appcore_plugin_<Name>`, of the name it was asked for;
/// 2. it was compiled against this epoch of the SDK by this version of the compiler, and contains
///    no SDK of its own;
/// 3. it is not linked to another plugin. With `RTLD_LOCAL` a plugin's symbols are visible only to
///    libraries that are linked to it, so this proves that plugins do not import one another;
/// 4. the host has every symbol of the SDK that it needs;
/// 5. it uses no declaration of the SDK that is for hosts only.
///
/// Whether other symbols exist is left to the loader: only it knows where it will search.
public struct PluginValidator: Sendable {
  /// The host's own SDK.
  public let sdk: HostSDK
  private let hostDefines: @Sendable (UnsafePointer<CChar>) -> Bool

  /// Creates a validator for this process.
  ///
  /// - Parameter sdk: the SDK that this process has loaded.
  public init(sdk: HostSDK = .current) {
    self.init(sdk: sdk) { dlsym(nil, $0) != nil }
  }

  init(sdk: HostSDK, hostDefines: @escaping @Sendable (UnsafePointer<CChar>) -> Bool) {
    self.sdk = sdk
    self.hostDefines = hostDefines
  }

  /// Validates a file.
  ///
  /// - Parameters:
  ///   - file: the file, as read.
  ///   - name: the plugin's name, if it was asked for by name.
  /// - Returns: the file with the plugin's name and the libraries that it needs.
  /// - Throws: a problem of stage ``PluginError/Stage/validated``.
  public func validate(
    _ file: PluginFile, expecting name: String? = nil
  ) throws(PluginError) -> ValidatedPlugin {
    let metadata = file.metadata
    func refuse(_ cause: Rejection) -> PluginError {
      PluginError(.validated, path: file.path, cause)
    }
    guard let found = metadata.names.first else { throw refuse(.noEntry) }
    guard metadata.names.count == 1 else { throw refuse(.severalEntries(metadata.names)) }
    // The name becomes part of a path, and a symbol's name can be anything.
    guard PluginLocator.isName(found) else { throw refuse(.invalidName(found)) }
    if let name, name != found { throw refuse(.otherName(found, expected: name)) }

    guard metadata.ownContracts.isEmpty else { throw refuse(.ownSDK) }
    guard !metadata.contracts.isEmpty else { throw refuse(.noContract) }
    if let other = metadata.contracts.first(where: { $0.symbol != sdk.contract.symbol }) {
      throw refuse(
        .contractMismatch(plugin: other, version: file.sdkVersion, host: sdk, path: file.path))
    }

    let dependencies: Dependencies
    do throws(Rejection) {
      dependencies = try Dependencies(of: file)
    } catch {
      throw refuse(error)
    }
    if let library = dependencies.missing {
      throw PluginError(.loaded, path: file.path, .libraryNotFound(library))
    }
    let symbols = sdkSymbols(of: file, dependencies)
    guard symbols.missing.isEmpty else {
      throw refuse(
        .missingSDKSymbols(
          symbols.missing, version: file.sdkVersion, host: sdk, path: file.path))
    }
    guard symbols.hostOnly.isEmpty else { throw refuse(.hostOnlySymbols(symbols.hostOnly)) }
    return ValidatedPlugin(file: file, name: found, dependencies: dependencies)
  }

  /// The symbols of the SDK that a plugin and the libraries it brings along need; mangled and
  /// sorted.
  struct SDKSymbols {
    var count = 0
    /// Those that this host lacks, up to ``listed``.
    var missing: [String] = []
    /// Those that only hosts may use, up to ``listed``.
    var hostOnly: [String] = []
    static let listed = 256
  }

  /// The symbols of the SDK that a plugin needs.
  ///
  /// - Complexity: O(*n*), where *n* is the number of symbols in the plugin and in the libraries
  ///   that it brings along.
  func sdkSymbols(of file: PluginFile, _ dependencies: Dependencies?) -> SDKSymbols {
    var count = 0
    var missing: Set<String> = []
    var hostOnly: Set<String> = []
    let files = [file] + (dependencies?.items.map(\.file) ?? [])
    for file in files {
      // Every symbol was checked when the file was read, so a second walk can't fail.
      try? file.elf.forEachSymbol { symbol in
        guard !symbol.isDefined, symbol.isOfSDK else { return }
        count += 1
        if HostOnlySymbols.contains(symbol.name) { hostOnly.insert(symbol.string) }
        guard !symbol.isWeak,
          let name = symbol.name.baseAddress?.assumingMemoryBound(to: CChar.self),
          !hostDefines(name)
        else { return }
        missing.insert(symbol.string)
      }
    }
    // A library's own symbol mentions the SDK, too, if its declaration uses a type of the SDK.
    dependencies?.removeExports(from: &missing)
    return SDKSymbols(
      count: count, missing: Array(missing.sorted().prefix(SDKSymbols.listed)),
      hostOnly: Array(hostOnly.sorted().prefix(SDKSymbols.listed)))
  }
}

/// A file that is a plugin for this host, as far as can be told without running it.
public struct ValidatedPlugin: Sendable {
  /// The file that was validated.
  public let file: PluginFile
  /// The plugin's name, from its entry.
  public let name: String
  let dependencies: Dependencies

  /// The digests of the file and of the libraries it brings along, which identify the build.
  public var digest: String {
    ([file] + dependencies.items.map(\.file)).map { "\($0.digest)" }.joined(separator: "-")
  }

  /// The C symbol that ``PluginLoader`` looks up.
  public var entrySymbol: String { "\(PluginMetadata.entryPrefix)\(name)" }
}

extension ELFSymbol {
  /// Whether a symbol's mangled name is of the SDK or mentions it, as `$s7AppCore6EffectV…` and
  /// `$sSa7AppCoreE…` do.
  fileprivate var isOfSDK: Bool {
    guard hasPrefix("$s") else { return false }
    if hasPrefix("$s7AppCore") { return true }
    guard let offset = GNUFunctions.offset(of: "7AppCore", in: name) else { return false }
    // The 7 may be the end of another number, the length of a longer name: `$s17AppCoreExtensions`.
    return !(0x30...0x39).contains(name[offset - 1])
  }
}
