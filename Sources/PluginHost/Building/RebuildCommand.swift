internal import Diagnostics
internal import Support

/// The command that builds a plugin's file again, told from where the file is.
enum RebuildCommand {
  /// The command between backticks; for a file that may be from anywhere, both that there are.
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
