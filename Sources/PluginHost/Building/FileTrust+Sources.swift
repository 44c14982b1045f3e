internal import Diagnostics
internal import Glibc

extension FileTrust {
  /// Checks the sources of a plugin, and the folders that they lie in: who can change them decides
  /// what is built and loaded.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/built``.
  /// - Complexity: a `stat` for each source and folder.
  func check(_ folder: SourceFolder) throws(PluginError) {
    guard !allowsAll else { return }
    var seen: Set<Substring> = []
    for file in folder.files {
      var path = Substring(folder.path + "/" + file)
      while path.utf8.count >= folder.path.utf8.count, seen.insert(path).inserted {
        var status = stat()
        if stat(String(path), &status) == 0, let weakness = Self.weakness(of: status) {
          let shown =
            path.utf8.count == folder.path.utf8.count ? folder.given : folder.shown(String(path))
          throw PluginError(.built, path: folder.given, .writable(path: shown, weakness))
        }
        path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
      }
    }
  }
}
