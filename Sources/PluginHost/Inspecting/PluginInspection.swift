internal import Support

/// What can be told of a file as a plugin of this host without running any of its code.
public struct PluginInspection: Sendable {
  /// A library that the file needs.
  public struct Library: Hashable, Sendable {
    /// Where the library would come from.
    public enum Origin: Hashable, Sendable {
      /// This process has it already.
      case host
      /// It is loaded, or would be, from the file at this path.
      case file(String)
      /// It is a plugin, which no other plugin may need.
      case plugin(name: String)
      /// It is not found.
      case nowhere
    }

    /// The name under which it is needed.
    public let name: String
    public let origin: Origin
  }

  public let path: String
  /// In bytes.
  public let size: UInt64
  /// The digest of the bytes as 16 hexadecimal digits.
  public let digest: String
  public let metadata: PluginMetadata
  /// The libraries that the file needs, in its order.
  public let libraries: [Library]
  /// The version of the SDK that it was compiled against; `nil` if the file does not tell it.
  public let sdkVersion: String?
  /// How many symbols of the SDK it needs.
  public let sdkSymbolCount: Int
  /// The symbols of the SDK that this host lacks, mangled and demangled, sorted by the latter.
  public let missingSDKSymbols: [(mangled: String, readable: String)]
  /// Why this host does not accept it; `nil` if it does, as far as can be told without running it.
  public let problem: PluginError?
  /// The cached result of a scan of the same content: its time, in seconds since 1970, and why it is
  /// in quarantine, if it is; `nil` if there is none.
  public let scanResult: (time: Int64, problem: PluginError?)?
}

extension PluginInspection {
  /// Inspects a file; none of its code runs.
  ///
  /// - Throws: a problem of stage `read` if the file can't be read or is not a library.
  public init(
    path: String, trust: FileTrust, cache: ScanCache?
  ) throws(PluginError) {
    let file = try PluginFile(path: path)
    self.path = path
    size = file.identity.size
    digest = "\(file.digest)"
    metadata = file.metadata
    let search = try? LibrarySearch(for: file)
    libraries = file.metadata.needed.map { name in
      Library(name: name, origin: Self.origin(of: name, by: search))
    }
    let dependencies = try? Dependencies(of: file)
    let symbols = ValidatedPlugin.sdkSymbols(of: file, dependencies)
    sdkVersion = file.sdkVersion
    sdkSymbolCount = symbols.count
    missingSDKSymbols = symbols.missing.map {
      (mangled: $0, readable: Demangler.readable($0))
    }
    .sorted { ($0.readable, $0.mangled) < ($1.readable, $1.mangled) }
    var scanResult: (time: Int64, problem: PluginError?)?
    do throws(PluginError) {
      let validated = try ValidatedPlugin(file)
      scanResult = cache?.scanResult(on: validated).map { result, time in
        guard case .quarantine(let cause) = result else { return (time, nil) }
        return (time, PluginError(.scanned, path: path, cause))
      }
      try trust.checkFolder(of: path)
      if !trust.allowsAll { _ = try PluginFile(path: path, trust: trust) }
      problem = libraries.first { $0.origin == .nowhere }.map {
        PluginError(.loaded, path: path, .libraryNotFound($0.name))
      }
    } catch {
      problem = error
    }
    self.scanResult = scanResult
  }

  private static func origin(
    of library: String, by search: LibrarySearch?
  ) -> Library.Origin {
    switch LoadedLibraries.shared.kind(of: library) {
    case .ordinary: return .host
    case .plugin(let name): return .plugin(name: name)
    case .dependency(_, let path): return .file(path)
    case .absent: break
    }
    if library.hasPrefix("/") {
      return PluginFile.identity(of: library) == nil ? .nowhere : .file(library)
    }
    guard let (path, element) = search?.find(library).found else { return .nowhere }
    let plugin = element.flatMap { _ in try? PluginFile(path: path).metadata.names.first }
    return plugin.map { .plugin(name: $0) } ?? .file(path)
  }
}
