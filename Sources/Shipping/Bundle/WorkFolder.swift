internal import Glibc
internal import Support

/// A folder of this process's own, for what is made before it takes its place.
final class WorkFolder {
  let path: String

  /// Makes the folder.
  ///
  /// - Parameter parent: the folder in which it is made.
  /// - Throws: what the system refuses.
  init(in parent: String) throws(BundleError) {
    var template = Array((parent + "/.appcore-bundle.XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw BundleError(parent, SystemError(errno)) }
    path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
  }

  deinit { Self.remove(path) }

  /// Makes an empty folder in it.
  func folder(_ name: String) throws(BundleError) -> String {
    let path = path + "/" + name
    guard mkdir(path, 0o755) == 0 else { throw BundleError(path, SystemError(errno)) }
    return path
  }

  /// Removes a file or a folder with all that is in it; links are not followed.
  static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    for name in FilePath.names(in: path) ?? [] { remove(path + "/" + name) }
    rmdir(path)
  }

  /// Makes a folder and those that hold it.
  static func makeFolders(to path: String) throws(SystemError) {
    if FilePath.isFolder(path) { return }
    let parent = FilePath.folder(of: path)
    if parent != path { try makeFolders(to: parent) }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw SystemError(errno) }
  }
}
