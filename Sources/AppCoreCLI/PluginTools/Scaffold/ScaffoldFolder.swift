internal import Glibc
internal import Support

/// Writes the folder of a new plugin or app.
enum ScaffoldFolder {
  /// Writes the files; never overwrites one.
  ///
  /// - Parameters:
  ///   - templates: the files.
  ///   - folder: the folder; it is created, with its parents, if it does not exist.
  /// - Throws: ``ScaffoldError`` if writing fails, after removing what was written.
  static func write(_ templates: [PluginTemplate], to folder: String) throws(ScaffoldError) {
    var made: [String] = []
    do throws(ScaffoldError) {
      try makeFolders(to: folder, &made)
      for template in templates {
        let path = folder + "/" + template.path
        try makeFolders(to: FilePath.folder(of: path), &made)
        try write(template.text, to: path)
        made.append(path)
      }
    } catch {
      // In reverse order, so that folders are empty when they are removed.
      for path in made.reversed() where unlink(path) != 0 { rmdir(path) }
      throw error
    }
  }

  /// Creates a folder, and its parents as needed; adds the created ones to `made`.
  private static func makeFolders(to path: String, _ made: inout [String]) throws(ScaffoldError) {
    if FilePath.isFolder(path) { return }
    let parent = FilePath.folder(of: path)
    if parent != path { try makeFolders(to: parent, &made) }
    guard mkdir(path, 0o777) == 0 else {
      throw errno == EEXIST ? .exists(path) : .notWritten(path: path, error: errno)
    }
    made.append(path)
  }

  private static func write(_ text: String, to path: String) throws(ScaffoldError) {
    // `x`: fail if the file exists.
    guard let file = fopen(path, "wxe") else { throw .notWritten(path: path, error: errno) }
    let count = fputs(text, file)
    let error = count < 0 ? errno : 0
    guard fclose(file) == 0, error == 0 else {
      unlink(path)
      throw .notWritten(path: path, error: error == 0 ? errno : error)
    }
  }
}
