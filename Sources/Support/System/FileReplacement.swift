internal import Glibc

/// A file that replaces another one atomically: it is written beside it, and then renamed.
package struct FileReplacement: Sendable {
  /// The descriptor of the replacement; it is still open after ``commit()``.
  package let descriptor: Int32
  private let target: String
  private let name: String

  /// Creates an empty file beside the one it is to replace, readable by its owner alone.
  ///
  /// If the path is a link to a file, that file is replaced, and the link stays, unless
  /// `followsLinks` is `false`: then the link itself is replaced.
  ///
  /// - Throws: the system's error.
  package init(of path: String, followsLinks: Bool = true) throws(SystemError) {
    target = followsLinks ? FilePath.resolved(path) ?? path : path
    // Beside it: a rename is only possible within one file system.
    var template = Array((target + ".XXXXXX").utf8CString)
    // Mode 0600.
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw SystemError(errno) }
    name = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Appends bytes to the replacement.
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

  /// Flushes the replacement to disk and renames it to the other file's path.
  package func commit() throws(SystemError) {
    guard fsync(descriptor) == 0, rename(name, target) == 0 else { throw SystemError(errno) }
  }

  /// Removes the replacement and closes its descriptor.
  package func discard() {
    unlink(name)
    close(descriptor)
  }
}

extension FileReplacement {
  /// Replaces the contents of a file atomically; the file's permissions, and a link to it, are
  /// kept.
  ///
  /// - Throws: the system's error; the file is unchanged.
  package static func write(
    _ bytes: [UInt8], to path: String, followsLinks: Bool = true
  ) throws(SystemError) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      throw SystemError(errno)
    }
    let replacement = try FileReplacement(of: path, followsLinks: followsLinks)
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

/// The error of a failed system call.
package struct SystemError: Error, CustomStringConvertible {
  package let code: Int32

  package init(_ code: Int32) { self.code = code }

  /// In the system's words, such as `Permission denied`.
  package var description: String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
