package import Glibc

/// Reading and writing that continues after a signal, and waits if a descriptor that another
/// program made non-blocking isn't ready.
package enum Descriptor {
  /// Calls a system function again for as long as a signal interrupts it.
  package static func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// Locks an open file or folder for this process alone; tries again every 10 ms, and blocks the
  /// thread meanwhile.
  ///
  /// - Returns: whether it is locked; if not, `errno` says why.
  package static func lock(_ descriptor: Int32, tries: Int) -> Bool {
    for attempt in 1...tries {
      if uninterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
      guard errno == EWOULDBLOCK, attempt < tries else { break }
      usleep(10_000)
    }
    return false
  }

  /// What `fstat` says of an open file; `nil`, with `errno` set, if it fails.
  package static func status(_ descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  /// A pipe that other programs do not inherit; `nil`, with `errno` set, if there can be none.
  package static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reads at most `count` bytes; there are none at the end.
  package static func read(
    _ descriptor: Int32, atMost count: Int
  ) throws(InputOutputError) -> [UInt8] {
    while true {
      var reason: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        let found = Glibc.read(descriptor, buffer.baseAddress, count)
        if found < 0 { reason = errno }
        filled = max(found, 0)
      }
      if reason == 0 { return bytes }
      guard isReady(descriptor, POLLIN, after: reason) else { throw .cannotRead(errno: reason) }
    }
  }

  /// Waits until there is input, or its end.
  package static func waitForInput(_ descriptor: Int32) { wait(descriptor, POLLIN) }

  package static func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(InputOutputError) {
    let error = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    switch error?.code {
    case nil: return
    case EPIPE?: throw .readerGone
    case ENOSPC?, EDQUOT?: throw .noSpace
    case let reason?: throw .cannotWrite(errno: reason)
    }
  }

  /// Writes all bytes to a file, at an offset or, without one, at the file's position.
  ///
  /// - Returns: why some were not written; `nil` if all were.
  package static func writeAll(
    _ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int? = nil
  ) -> SystemError? {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count =
        offset.map { pwrite(file, rest.baseAddress, rest.count, off_t($0 + written)) }
        ?? Glibc.write(file, rest.baseAddress, rest.count)
      let reason = count < 0 ? errno : ENOSPC
      if count > 0 {
        written += count
      } else if !isReady(file, POLLOUT, after: reason) {
        return SystemError(reason)
      }
    }
    return nil
  }

  /// Whether a call that has failed may be repeated, at once or after a wait.
  private static func isReady(_ descriptor: Int32, _ event: Int32, after reason: Int32) -> Bool {
    switch reason {
    case EINTR: return true
    case EAGAIN:
      wait(descriptor, event)
      return true
    default: return false
    }
  }

  private static func wait(_ descriptor: Int32, _ event: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    _ = uninterrupted { poll(&entry, 1, -1) }
  }
}
