internal import CrashReporting
internal import Glibc
internal import Support

/// A temporary folder, which is removed when this object is released.
///
/// It is also removed when a signal, such as Ctrl-C's SIGINT, ends the process.
final class WorkFolder {
  let path: String
  private let registration: EndingSignals.Registration

  /// Creates the folder.
  ///
  /// - Parameter parent: the existing folder in which it is created.
  /// - Throws: ``BundleError`` if it can't be created.
  init(in parent: String) throws(BundleError) {
    var template = Array((parent + "/.appcore-bundle.XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw BundleError(parent, SystemError(errno)) }
    let path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    self.path = path
    registration = EndingSignals.onEnd { _ in
      Self.abandon(path)
      return nil
    }
  }

  deinit { Self.remove(path) }

  /// Removes the folder while another thread may still write into it.
  ///
  /// The folder is renamed first, so that the other thread's paths no longer lead into it.
  private static func abandon(_ path: String) {
    let name = path + ".ended"
    guard rename(path, name) == 0 else { return }
    remove(name)
  }

  /// Creates an empty folder in it and returns the path.
  func folder(_ name: String) throws(BundleError) -> String {
    let path = path + "/" + name
    guard mkdir(path, 0o755) == 0 else { throw BundleError(path, SystemError(errno)) }
    return path
  }

  /// Removes a file, or a folder with its contents.
  ///
  /// Links are not followed, and errors are ignored.
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

  /// Creates a folder, and its parents as needed.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - root: the parent at which to stop; it is not created, but has to exist.
  /// - Throws: the system's error.
  static func makeFolders(to path: String, below root: String? = nil) throws(SystemError) {
    if FilePath.isFolder(path) { return }
    let parent = FilePath.folder(of: path)
    if parent != path, path != root { try makeFolders(to: parent, below: root) }
    guard path != root else { throw SystemError(ENOENT) }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw SystemError(errno) }
  }
}
