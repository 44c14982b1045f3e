internal import Glibc
internal import PluginHost
internal import Supervision
internal import Support

/// A temporary folder, which is removed when this object is released.
///
/// It is also removed when a signal, such as Ctrl-C's SIGINT, ends the process, or a crash does.
final class WorkFolder {
  let path: String
  private let registration: EndingSignals.Registration
  /// The folder, open and locked; the lock ends with the process, however that ends.
  private let lock: Int32
  private let remover: FolderRemover?

  /// Creates the folder.
  ///
  /// - Parameter parent: the existing folder in which it is created.
  /// - Throws: ``BundleError`` if it can't be created.
  init(in parent: String) throws(BundleError) {
    Self.removeAbandoned(in: parent)
    var template = Array((parent + "/" + Self.prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw BundleError(parent, SystemError(errno)) }
    let path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    self.path = path
    lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    flock(lock, LOCK_SH | LOCK_NB)
    remover = FolderRemover(path)
    registration = EndingSignals.onEnd { _ in
      Self.abandon(path)
      return nil
    }
  }

  deinit {
    FilePath.remove(path)
    close(lock)
  }

  private static let prefix = ".appcore-bundle."

  /// Removes the folders of processes that were killed: nobody has a lock on them.
  private static func removeAbandoned(in parent: String) {
    for name in FilePath.names(in: parent) ?? [] where name.hasPrefix(prefix) {
      let path = parent + "/" + name
      let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      guard folder >= 0 else { continue }
      defer { close(folder) }
      var status = stat()
      // One that was made just now may not have its lock yet.
      guard fstat(folder, &status) == 0, status.st_uid == geteuid(),
        time(nil) - status.st_mtim.tv_sec > 60, flock(folder, LOCK_EX | LOCK_NB) == 0
      else { continue }
      FilePath.remove(path)
    }
  }

  /// Removes the folder while another thread may still write into it.
  ///
  /// The folder is renamed first, so that the other thread's paths no longer lead into it.
  private static func abandon(_ path: String) {
    let name = path + ".ended"
    guard rename(path, name) == 0 else { return }
    FilePath.remove(name)
  }

  /// Creates an empty folder in it and returns the path.
  func folder(_ name: String) throws(BundleError) -> String {
    let path = path + "/" + name
    guard mkdir(path, 0o755) == 0 else { throw BundleError(path, SystemError(errno)) }
    return path
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
