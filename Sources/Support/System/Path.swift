/// Paths as text: nothing here asks the file system.
package enum Path {
  /// The folder of a path: `.` where it has none.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A path that was written in a file of some folder, relative to the working directory.
  package static func join(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") || folder == "." { return path }
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
  }
}
