internal import Glibc
internal import PluginHost

/// The work of the process that plugins are loaded in first.
public enum ScanReport {
  /// Loads the plugins that the process asks for which started this one, and sends what each says of
  /// itself.
  ///
  /// - Returns: the status to end with: 0, or 64 where nobody asks.
  public static func serve() -> Int32 {
    ScanServer.run(form: PluginInfo.form) { plugin throws(PluginError) in
      PluginInfo(try PluginLoading.register(plugin)).bytes
    }
  }

  /// Scans if that is what this process was started for.
  ///
  /// A host that is its own scanner calls this before anything else, ends with the status if there
  /// is one, and gives its own path as ``AppOptions/scanner``.
  ///
  /// - Parameter arguments: the process's arguments.
  /// - Returns: the status to exit with; `nil` where the process was started for its own work.
  public static func answer(_ arguments: [String] = CommandLine.arguments) -> Int32? {
    arguments.count == 2 && arguments[1] == ScannerProgram.command ? serve() : nil
  }
}

/// The program that loads a plugin in a process of its own: `appcore` itself.
enum ScannerProgram {
  /// The hidden command that scans.
  static let command = "__scan"

  /// Where the program is.
  ///
  /// It is this process's own, one beside it, or one in the tree that the SDK's library was loaded
  /// from. `APPCORE_SCANNER` says otherwise; empty, it turns scanning off.
  static func path(environment: [String: String]) -> String? {
    if let given = environment["APPCORE_SCANNER"] { return given.isEmpty ? nil : given }
    var candidates: [String] = []
    if let folder = PluginLocator.executableFolder() { candidates.append(folder + "/appcore") }
    if let folder = SDKLibrary.folder {
      candidates += [folder + "/appcore", folder + "/../bin/appcore"]
    }
    return candidates.first(where: isProgram)
  }

  /// Whether there is a file to be executed; an installed tree has a folder of that name, too.
  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }
}
