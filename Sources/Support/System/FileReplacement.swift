internal import Glibc

/// A file that takes the place of another one at once: written beside it, and then renamed.
package struct FileReplacement: Sendable {
  /// Where the replacement is written; still open after ``commit()``.
  package let descriptor: Int32
  private let target: String
  private let name: String

  /// Creates an empty file beside the one it is to replace, readable by its owner alone.
  ///
  /// Where a link leads to that file, the link stays.
  /// - Throws: the system's error.
  package init(of path: String) throws(SystemError) {
    target = FilePath.resolved(path) ?? path
    // Beside it: only within one file system a file takes the place of another at once.
    var template = Array((target + ".XXXXXX").utf8CString)
    // Mode 0600.
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw SystemError(errno) }
    name = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Writes bytes behind those that are there.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        throw SystemError(errno)
      }
      written += count
    }
  }

  /// Brings what was written to the disk and puts it in the place of the other file.
  package func commit() throws(SystemError) {
    guard fsync(descriptor) == 0, rename(name, target) == 0 else { throw SystemError(errno) }
  }

  /// Removes the file that was to be the replacement.
  package func discard() {
    unlink(name)
    close(descriptor)
  }
}

extension FileReplacement {
  /// Replaces what is in a file, whose permissions it keeps; where a link leads to it, the link stays.
  ///
  /// - Throws: the system's error; the file is as it was then.
  package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SystemError(errno) }
    let replacement = try FileReplacement(of: path)
    do throws(SystemError) {
      guard fchmod(replacement.descriptor, status.st_mode & 0o7777) == 0 else {
        throw SystemError(errno)
      }
      try replacement.write(bytes)
      try replacement.commit()
    } catch {
      replacement.discard()
      throw error
    }
    close(replacement.descriptor)
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
