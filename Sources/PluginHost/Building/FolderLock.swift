internal import Glibc

/// A lock on a folder of builds, against other processes and threads; it goes with the process.
struct FolderLock {
  private let descriptor: Int32

  /// Makes the folder where it is missing, and waits until nobody else holds the lock.
  init(_ folder: String) throws(BuildFailure) {
    var end = folder.startIndex
    while end < folder.endIndex {
      end = folder[folder.index(after: end)...].firstIndex(of: "/") ?? folder.endIndex
      // What exists need not be ours to write in; whether it worked shows at the end.
      mkdir(String(folder[..<end]), 0o777)
    }
    let path = folder + "/.lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .fileRefused(path: path, error: errno) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let error = errno
        close(descriptor)
        throw .fileRefused(path: path, error: error)
      }
    }
  }

  func release() { close(descriptor) }
}
