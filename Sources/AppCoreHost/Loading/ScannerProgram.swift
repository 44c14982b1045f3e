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
    if let folder = libraryFolder() {
      candidates += [folder + "/appcore", folder + "/../bin/appcore"]
    }
    return candidates.first { access($0, X_OK) == 0 }
  }

  /// The folder of `libAppCore.so` as this process has it mapped.
  private static func libraryFolder() -> String? {
    guard let file = fopen("/proc/self/maps", "r") else { return nil }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) > 0, let text = line {
      let words = String(cString: text).split(separator: " ", maxSplits: 5)
      guard words.count == 6 else { continue }
      let path = words[5].drop { $0 == " " }.prefix { $0 != "\n" }
      if path.hasSuffix("/libAppCore.so"), let slash = path.lastIndex(of: "/") {
        return String(path[..<slash])
      }
    }
    return nil
  }
}
