internal import Glibc

/// Replaces an existing file atomically.
package enum FileReplacement {
  /// Replaces what is in a file, whose permissions it keeps; where a link leads to it, the link stays.
  ///
  /// - Throws: the system's error; the file is as it was then.
  package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let target = FilePath.resolved(path) ?? path
    var status = stat()
    guard stat(target, &status) == 0 else { throw SystemError(errno) }
    // Beside it: only within one file system a file takes the place of another at once.
    var name = Array((target + ".XXXXXX").utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { throw SystemError(errno) }
    if let error = fill(file, with: bytes, mode: status.st_mode & 0o7777) {
      unlink(name)
      throw error
    }
    guard rename(name, target) == 0 else {
      let error = SystemError(errno)
      unlink(name)
      throw error
    }
  }

  private static func fill(_ file: Int32, with bytes: [UInt8], mode: mode_t) -> SystemError? {
    defer { close(file) }
    guard fcntl(file, F_SETFD, FD_CLOEXEC) == 0, fchmod(file, mode) == 0 else {
      return SystemError(errno)
    }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return SystemError(errno)
      }
      written += count
    }
    return fsync(file) == 0 ? nil : SystemError(errno)
  }
}

/// The result of a system call.
package struct SystemError: Error, CustomStringConvertible {
  package let code: Int32

  package init(_ code: Int32) { self.code = code }

  /// In the system's words, such as `Permission denied`.
  package var description: String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
