internal import Support

/// The command that rebuilds a plugin's file, derived from the file's path.
enum RebuildCommand {
  /// The command in backticks; both commands if the path does not tell how the file was built.
  static func of(_ path: String) -> String {
    if let folder = folder(of: path, above: ".build/appcore/") {
      let isRelease = path.contains(".build/appcore/release/")
      return "`\(Rejection.buildCommand(folder))\(isRelease ? " -c release" : "")`"
    }
    if let folder = folder(of: path, above: ".build/") {
      let isRelease = path.contains("/release/")
      return "`swift build" + (folder == "." ? "" : " --package-path " + shellWord(folder))
        + (isRelease ? " -c release`" : "`")
    }
    return
      "`appcore plugin build <its folder>`, or `swift build` for one that is built with the host"
  }

  private static func folder(of path: String, above part: String) -> String? {
    if path.hasPrefix(part) { return "." }
    guard let range = path.ranges(of: "/" + part).last else { return nil }
    return range.lowerBound == path.startIndex ? "/" : String(path[..<range.lowerBound])
  }
}
