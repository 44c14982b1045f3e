@_spi(Host) internal import AppCore
internal import Glibc
internal import PluginHost
internal import Support

/// The work of the scanning process.
public enum ScanReport {
  /// Loads the plugins that the parent process requests, and sends the description of each.
  ///
  /// - Returns: the status to exit with: 0, or 64 if there is no such parent.
  public static func serve() -> Int32 {
    ScanServer.run(form: PluginInfo.form) { plugin, outline throws(PluginError) in
      let plugin = try PluginResolver.register(plugin)
      var info = PluginInfo(plugin)
      outline(info.bytes)
      info.states = plugin.states()
      return info.bytes
    }
  }

  /// Scans if this process was started for that.
  ///
  /// A host that is its own scanner calls this first, exits with the status if there is one, and
  /// sets ``AppOptions/scanner`` to its own path.
  ///
  /// - Returns: the status to exit with; `nil` where the process was started for its own work.
  public static func answer(_ arguments: [String] = CommandLine.arguments) -> Int32? {
    arguments.count == 2 && arguments[1] == command ? serve() : nil
  }
}

// The program that loads a plugin in a process of its own: `appcore` itself.
extension ScanReport {
  static let command = "__scan"

  /// The path of the program that scans.
  ///
  /// It is beside this process's program, or in the tree that the SDK's library was loaded from.
  /// `APPCORE_SCANNER` overrides it; if that is empty, nothing is scanned.
  static func program(environment: [String: String]) -> String? {
    if let given = environment["APPCORE_SCANNER"] { return given.isEmpty ? nil : given }
    var candidates: [String] = []
    if let folder = PluginLocator.executableFolder() { candidates.append(folder + "/appcore") }
    if let folder = SDKLibrary.folder {
      candidates += [folder + "/appcore", folder + "/../bin/appcore"]
    }
    return candidates.first(where: isProgram)
  }

  /// Whether a path is an executable file; an installed tree has a folder of that name, too.
  private static func isProgram(_ path: String) -> Bool {
    FilePath.status(path)?.isRegular == true && access(path, X_OK) == 0
  }
}
