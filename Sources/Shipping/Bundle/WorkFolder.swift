internal import CrashReporting
internal import Glibc
internal import Support

/// A folder of this process's own, for what is made before it takes its place.
///
/// It is removed with this object, and when a signal such as that of Ctrl-C ends the process.
final class WorkFolder {
  let path: String
  private let registration: EndingSignals.Registration

  /// Makes the folder.
  ///
  /// - Parameter parent: the folder in which it is made.
  /// - Throws: what the system refuses.
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

  /// Removes the folder while another thread still writes into it.
  ///
  /// Under another name that thread can't find it, so that nothing is added to what is removed.
  private static func abandon(_ path: String) {
    let name = path + ".ended"
    guard rename(path, name) == 0 else { return }
    remove(name)
  }

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
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - root: a folder that is not made; it has to be there.
  /// - Throws: what the system refuses.
  static func makeFolders(to path: String, below root: String? = nil) throws(SystemError) {
    if FilePath.isFolder(path) { return }
    let parent = FilePath.folder(of: path)
    if parent != path, path != root { try makeFolders(to: parent, below: root) }
    guard path != root else { throw SystemError(ENOENT) }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw SystemError(errno) }
  }
}
