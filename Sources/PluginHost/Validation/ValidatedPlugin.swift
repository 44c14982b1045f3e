internal import Glibc
internal import Support

/// A file that is a plugin for this host, as far as can be told before any of its code runs.
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
public struct ValidatedPlugin: Sendable {
  public let file: PluginFile
  /// The plugin's name, from its entry.
  public let name: String
  let dependencies: Dependencies

  /// Validates a file.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/validated``.
  public init(_ file: PluginFile, expecting name: String? = nil) throws(PluginError) {
    self.file = file
    do throws(Rejection) {
      self.name = try Self.checkEntry(of: file, expecting: name)
      try Self.checkContract(of: file)
      dependencies = try Dependencies(of: file)
    } catch {
      throw PluginError(.validated, path: file.path, error)
    }
    if let library = dependencies.missing {
      throw PluginError(.loaded, path: file.path, .libraryNotFound(library))
    }
    do throws(Rejection) { try Self.checkSymbols(of: file, dependencies) } catch {
      throw PluginError(.validated, path: file.path, error)
    }
  }

  /// The file, and those of the libraries it brings along.
  var files: [PluginFile] { [file] + dependencies.items.map { $0.file } }
  /// The digests of ``files``, which identify the build.
  var contentID: String { files.map { "\($0.digest)" }.joined(separator: "-") }

  /// The plugin's name, from its entry.
  private static func checkEntry(
    of file: PluginFile, expecting name: String?
  ) throws(Rejection) -> String {
    let names = file.metadata.names
    guard let found = names.first else {
      throw Rejection(.pluginNoEntry, "it exports no function 'appcore_plugin_<Name>'")
    }
    guard names.count == 1 else {
      throw Rejection(
        .pluginSeveralEntries, "it exports \(names.count) entries instead of one",
        details: names.map { "entry: appcore_plugin_\($0)" })
    }
    // The name becomes part of a path, and a symbol's name can be anything.
    guard PluginLocator.isName(found) else { throw .invalidName(found) }
    guard name == nil || name == found else {
      throw Rejection(
        .pluginOtherName, "this is the plugin '\(found)', not '\(name ?? "")'",
        remedy: "ask for '\(found)', or name its entry 'appcore_plugin_\(name ?? "")'")
    }
    return found
  }

  private static func checkContract(of file: PluginFile) throws(Rejection) {
    guard file.metadata.ownContracts.isEmpty else {
      throw Rejection(.pluginOwnSDK, "it holds a copy of the SDK instead of using the host's")
    }
    guard !file.metadata.contracts.isEmpty else {
      throw Rejection(.pluginNoContract, "it does not say which SDK it was built against")
    }
    guard
      let other = file.metadata.contracts.first(where: {
        $0.symbol != HostSDK.current.contract.symbol
      })
    else { return }
    let version = file.sdkVersion.map { "SDK \($0), " } ?? ""
    throw Rejection(
      .contractMismatch,
      other.compiler == HostSDK.current.contract.compiler
        ? "built against another epoch of the SDK"
        : "built with Swift \(other.compiler), and this host with \(HostSDK.current.contract.compiler)",
      details: ["plugin: \(version)\(other)", "host:   \(HostSDK.current)"],
      remedy: rebuild(file.path))
  }

  private static func checkSymbols(
    of file: PluginFile, _ dependencies: Dependencies
  ) throws(Rejection) {
    let symbols = sdkSymbols(of: file, dependencies)
    guard symbols.missing.isEmpty else {
      let version = file.sdkVersion
      let later = version.flatMap { isVersion($0, after: HostSDK.current.version) ? $0 : nil }
      throw Rejection(
        .pluginMissingSDKSymbols,
        (version.map { "built against SDK \($0), " } ?? "") + "it needs "
          + "\(counted(symbols.missing.count, "symbol")) that this host's SDK \(HostSDK.current.version) lacks",
        details: Rejection.lines(of: symbols.missing),
        remedy: (later.map { "update appcore to \($0) or later, or " } ?? "")
          + rebuild(file.path))
    }
    guard symbols.hostOnly.isEmpty else {
      throw Rejection(
        .pluginHostOnlySymbols,
        "it uses \(counted(symbols.hostOnly.count, "host-only symbol")) of the SDK (`@_spi(Host)`)",
        details: Rejection.lines(of: symbols.hostOnly))
    }
  }

  private static func rebuild(_ path: String) -> String {
    "rebuild the plugin against this host's SDK: " + Rejection.rebuildCommand(path)
  }

  private static func isVersion(_ version: String, after other: String) -> Bool {
    func numbers(_ text: String) -> [Int] {
      text.prefix { $0 != "-" }.split(separator: ".").map { Int($0) ?? 0 }
    }
    return numbers(other).lexicographicallyPrecedes(numbers(version))
  }

  /// The most symbols of one kind that are listed.
  static let listedSymbols = 256

  /// The symbols of the SDK that a plugin and the libraries it brings along need: how many, those
  /// that this host lacks, and those that only hosts may use; mangled and sorted.
  ///
  /// - Complexity: O(*n*), where *n* is the number of symbols in the plugin and in the libraries
  ///   that it brings along.
  static func sdkSymbols(
    of file: PluginFile, _ dependencies: Dependencies?
  ) -> (count: Int, missing: [String], hostOnly: [String]) {
    var count = 0
    var missing: Set<String> = []
    var hostOnly: Set<String> = []
    let files = [file] + (dependencies?.items.map { $0.file } ?? [])
    for file in files {
      // Every symbol was checked when the file was read, so a second walk can't fail.
      try? file.elf.forEachSymbol { symbol in
        guard !symbol.isDefined, symbol.isOfSDK else { return }
        count += 1
        if HostOnlySymbols.contains(symbol) { hostOnly.insert(symbol.string) }
        if symbol.isMissingHere { missing.insert(symbol.string) }
      }
    }
    // A library's own symbol mentions the SDK, too, if its declaration uses a type of the SDK.
    dependencies?.removeExports(from: &missing)
    return (
      count, Array(missing.sorted().prefix(listedSymbols)),
      Array(hostOnly.sorted().prefix(listedSymbols))
    )
  }
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

/// Turns mangled Swift names into readable ones, with the runtime's own function.
package enum Demangler {
  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>?, UInt, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<UInt>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  private static let function: Demangle? = dlsym(nil, "swift_demangle").map {
    unsafeBitCast($0, to: Demangle.self)
  }

  /// The demangled name, or the name itself if it is not a mangled Swift name.
  package static func readable(_ symbol: String) -> String {
    guard symbol.hasPrefix("$s"), let function,
      let result = function(symbol, UInt(symbol.utf8.count), nil, nil, 0)
    else { return symbol }
    defer { free(result) }
    return String(cString: result)
  }
}

/// The symbols of the SDK's declarations that are for hosts only: those with `@_spi(Host)`.
///
/// The promise that plugins work with later releases of the SDK does not cover them.
enum HostOnlySymbols {
  /// Whether a symbol is that of such a declaration, or of a member of one.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of declarations.
  static func contains(_ symbol: ELFSymbol) -> Bool {
    // No prefix is a prefix of another, so only the last one that sorts before the name can match.
    let next = prefixes.partitioningIndex { compare($0, symbol.name) > 0 }
    return next > 0 && symbol.hasPrefix(prefixes[next - 1])
  }

  private static func compare(_ prefix: StaticString, _ name: UnsafeRawBufferPointer) -> Int {
    guard let base = name.baseAddress else { return 1 }
    let count = min(prefix.utf8CodeUnitCount, name.count)
    let order = Int(memcmp(prefix.utf8Start, base, count))
    return order != 0 ? order : prefix.utf8CodeUnitCount - name.count
  }
}
