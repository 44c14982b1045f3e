internal import Glibc
internal import Support

/// Finds the file of a plugin, by its name on the search path or by its path.
///
/// The folders are searched in this order, and the first that has the file wins:
/// 1. those given on the command line with `--plugin-path`;
/// 2. those in `APPCORE_PLUGIN_PATH`, separated by colons;
/// 3. the manifest's folder;
/// 4. the executable's own folder, which is where a build puts plugins;
/// 5. the install tree, `../lib/appcore/plugins` from the executable;
/// 6. the install tree of the SDK's library, if another program embeds the host;
/// 7. `appcore/plugins` in `XDG_DATA_HOME` and in each of `XDG_DATA_DIRS`.
///
/// An entry of the plugin's name in an earlier folder counts even if it is a dangling link: to skip
/// it silently would load a file that was not meant.
public struct PluginLocator: Sendable {
  /// The folders to search, in order, without duplicates.
  public let folders: [String]

  /// Creates the search path.
  ///
  /// - Parameters:
  ///   - pluginPath: the values of `--plugin-path`, in order.
  ///   - manifestFolder: the folder of the manifest, if there is one.
  ///   - executableFolder: the folder of the running executable; see ``executableFolder()``.
  ///   - libraryPlugins: the plugins' folder in the install tree of the SDK's library, if that is
  ///     not the executable's tree.
  ///   - environment: the process's variables.
  public init(
    pluginPath: [String] = [], manifestFolder: String? = nil, executableFolder: String? = nil,
    libraryPlugins: String? = nil, environment: [String: String] = [:]
  ) {
    var folders = pluginPath
    folders += Self.list(environment["APPCORE_PLUGIN_PATH"])
    if let manifestFolder { folders.append(manifestFolder.isEmpty ? "." : manifestFolder) }
    if let executableFolder {
      folders.append(executableFolder)
      folders.append(FilePath.folder(of: executableFolder) + "/lib/appcore/plugins")
    }
    if let libraryPlugins { folders.append(libraryPlugins) }
    folders += Self.dataFolders(environment)
    var seen: Set<String> = []
    self.folders = folders.filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  private static func list(_ value: String?) -> [String] {
    (value ?? "").split(separator: ":").map(String.init)
  }

  /// The XDG specification: relative paths are ignored, and empty variables count as unset.
  private static func dataFolders(_ environment: [String: String]) -> [String] {
    let own = FilePath.ofUser("plugins", "XDG_DATA_HOME", or: ".local/share") { environment[$0] }
    var shared = list(environment["XDG_DATA_DIRS"]).filter { $0.hasPrefix("/") }
    if shared.isEmpty { shared = ["/usr/local/share", "/usr/share"] }
    return (own.map { [$0] } ?? []) + shared.map { $0 + "/appcore/plugins" }
  }

  /// The folder of the running executable, with links resolved.
  public static func executableFolder() -> String? {
    FilePath.linkTarget("/proc/self/exe").map(FilePath.folder)
  }

  /// The folder of the library that defines a symbol of this process; `nil` if none does.
  public static func libraryFolder(defining symbol: String) -> String? {
    dlsym(nil, symbol).flatMap { GNUFunctions.object(at: $0) }.map { FilePath.folder(of: $0.path) }
  }

  /// Finds the plugin with a name, such as `Packages` for `libPackages.so`.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/found`` with every path that was tried.
  /// - Complexity: one `lstat` for each folder.
  public func locate(name: String) throws(PluginError) -> String {
    guard Self.isName(name) else {
      throw PluginError(.found, path: name, .invalidName(name))
    }
    var tried: [String] = []
    for path in candidates(for: name) {
      guard let error = Self.missing(path) else { return path }
      let isObvious = error == ENOENT || error == ENOTDIR
      tried.append("tried: \(path)" + (isObvious ? "" : " (\(errorText(error)))"))
    }
    throw PluginError(
      .found, path: name,
      Rejection(.pluginNotFound, "no file 'lib\(name).so' on the plugin path", details: tried))
  }

  /// The files that may be the plugin with a name, in search order; the first that exists is used.
  ///
  /// - Returns: the paths; empty if `name` is not a plugin's name.
  package func candidates(for name: String) -> [String] {
    guard Self.isName(name) else { return [] }
    return folders.map { ($0.hasSuffix("/") ? $0 : $0 + "/") + "lib\(name).so" }
  }

  /// Checks that something exists at a path, and returns the path.
  public func locate(path: String) throws(PluginError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw PluginError(.found, path: path, .invalidName(path))
    }
    if let error = Self.missing(path) {
      throw PluginError(
        .found, path: path,
        .notFound(error: error, resolved: path.hasPrefix("/") ? nil : FilePath.absolute(path)))
    }
    return path
  }

  private static func missing(_ path: String) -> Int32? {
    if path.utf8.contains(0) { return EINVAL }
    return FilePath.status(path, followsLinks: false) == nil ? errno : nil
  }

  /// Whether a name can be a plugin's: it becomes part of a C symbol and of a file's name.
  package static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first), name.utf8.count <= 128
    else { return false }
    return name.utf8.allSatisfy(isNameByte)
  }

  /// Whether a byte is an ASCII letter, a digit or an underscore.
  static func isNameByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
      || byte == 0x5f
  }
}

extension Rejection {
  static func invalidName(_ name: String) -> Rejection {
    Rejection(.invalidPluginName, "'\(name)' can't be the name of a plugin")
  }

  /// There is nothing at a path; `error` is the `errno`, and `resolved` the absolute path.
  static func notFound(error: Int32, resolved: String? = nil) -> Rejection {
    Rejection(
      .pluginNotFound, errorText(error), details: resolved.map { ["tried: \($0)"] } ?? [],
      remedy: "build the plugin, or correct the path")
  }
}
