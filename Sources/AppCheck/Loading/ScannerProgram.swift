internal import Glibc
internal import PluginHost

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
