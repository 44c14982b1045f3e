internal import Glibc
internal import Support

/// The folder of what is new, with its files.
enum ScaffoldFolder {
  /// Writes the files; nothing that exists is written over.
  ///
  /// - Parameters:
  ///   - templates: the files.
  ///   - folder: the folder, which is made; an empty one that is there is used.
  /// - Throws: what the system refuses; what was written until then is removed.
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
      // In the reverse order: folders are empty by then.
      for path in made.reversed() where unlink(path) != 0 { rmdir(path) }
      throw error
    }
  }

  /// Makes a folder, and those that hold it.
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
    // Exclusively: in a folder that was just made there is nothing to write over.
    guard let file = fopen(path, "wxe") else { throw .notWritten(path: path, error: errno) }
    let count = fputs(text, file)
    let error = count < 0 ? errno : 0
    guard fclose(file) == 0, error == 0 else {
      unlink(path)
      throw .notWritten(path: path, error: error == 0 ? errno : error)
    }
  }
}
