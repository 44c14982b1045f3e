internal import Glibc

/// A pipe whose ends are closed when this object is released.
final class ChildPipe {
  private(set) var reader: Int32
  private(set) var writer: Int32

  /// Makes a pipe that other children do not inherit and whose reader does not block.
  ///
  /// Neither end is one of the descriptors that the child gets, even in a process that has closed
  /// the standard ones: they would be overwritten in the child.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // The child's last descriptor is its channel.
    reader = fcntl(ends[0], F_DUPFD_CLOEXEC, ChildProcess.channel + 1)
    writer = fcntl(ends[1], F_DUPFD_CLOEXEC, ChildProcess.channel + 1)
    let error = errno
    close(ends[0])
    close(ends[1])
    guard reader >= 0, writer >= 0, fcntl(reader, F_SETFL, O_NONBLOCK) == 0 else {
      closeReader()
      closeWriter()
      errno = error
      return nil
    }
  }

  deinit {
    closeReader()
    closeWriter()
  }

  func closeReader() {
    if reader >= 0 { close(reader) }
    reader = -1
  }

  func closeWriter() {
    if writer >= 0 { close(writer) }
    writer = -1
  }
}
