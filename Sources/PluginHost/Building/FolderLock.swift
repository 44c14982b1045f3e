internal import Glibc
internal import Support

/// A lock on a build folder, against other processes and threads; it ends with the process.
struct FolderLock {
  /// How long to wait for the lock: far longer than a build takes.
  static let timeout = Duration.seconds(120)
  /// How long to wait before the waiting is reported.
  private static let silence = Duration.seconds(1)

  private let descriptor: Int32

  /// Creates the folder if it is missing, and waits until nobody else holds the lock.
  ///
  /// - Throws: if it takes longer than `timeout`.
  init(
    _ folder: String, timeout: Duration = timeout, willWait: () -> Void = {}
  ) throws(Rejection) {
    var end = folder.startIndex
    while end < folder.endIndex {
      end = folder[folder.index(after: end)...].firstIndex(of: "/") ?? folder.endIndex
      // Errors are ignored: an existing parent may be read-only. If it failed, `open` fails below.
      mkdir(String(folder[..<end]), 0o777)
    }
    let path = folder + "/.lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .fileRefused(path: path, error: errno) }
    do throws(Rejection) {
      try Self.lock(descriptor, path, timeout, willWait)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func lock(
    _ descriptor: Int32, _ path: String, _ timeout: Duration, _ willWait: () -> Void
  ) throws(Rejection) {
    let start = ContinuousClock.now
    var hasTold = false
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw .fileRefused(path: path, error: errno)
      }
      let elapsed = ContinuousClock.now - start
      guard elapsed < timeout else {
        throw Rejection(
          .pluginBuildRefused,
          "another program has held '\(path)' locked for \(elapsed.components.seconds) s",
          remedy: "end the other build; `fuser -v \(shellWord(path))` names it")
      }
      if elapsed >= silence, !hasTold {
        hasTold = true
        willWait()
      }
      usleep(20_000)
    }
  }

  func release() { close(descriptor) }
}
