internal import Glibc

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

  /// Reads into `buffer`; the count is 0 at the end.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(InputOutputError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      let reason = errno
      guard wasRestored(descriptor, POLLIN, after: reason) else {
        throw .cannotRead(errno: reason)
      }
    }
  }

  package static func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer
  ) throws(InputOutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Glibc.write(descriptor, part.baseAddress, part.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      let reason = errno
      switch reason {
      case EPIPE: throw .readerGone
      case ENOSPC, EDQUOT: throw .noSpace
      default:
        guard wasRestored(descriptor, POLLOUT, after: reason) else {
          throw .cannotWrite(errno: reason)
        }
      }
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
      let count = uninterrupted {
        offset.map { pwrite(file, rest.baseAddress, rest.count, off_t($0 + written)) }
          ?? Glibc.write(file, rest.baseAddress, rest.count)
      }
      guard count > 0 else { return SystemError(count < 0 ? errno : ENOSPC) }
      written += count
    }
    return nil
  }

  private static func wasRestored(_ descriptor: Int32, _ event: Int32, after reason: Int32) -> Bool
  {
    switch reason {
    case EINTR: return true
    case EAGAIN:
      var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      _ = poll(&entry, 1, -1)
      return true
    default: return false
    }
  }
}
