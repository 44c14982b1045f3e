internal import Glibc

/// Files that are read and written whole.
package enum WholeFile {
  /// The bytes of a file.
  ///
  /// Reading never waits, as it would for bytes from a pipe.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the number of bytes beyond which reading stops; the result may be a bit longer.
  /// - Returns: the bytes.
  /// - Throws: the system's error.
  package static func read(_ path: String, limit: Int = .max) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    return try read(descriptor, limit: limit)
  }

  /// The bytes of a file that is open, likewise.
  package static func read(
    _ descriptor: Int32, limit: Int = .max
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 || bytes.count > limit { return bytes }
      if count > 0 {
        bytes.append(contentsOf: chunk[..<count])
      } else if errno != EINTR {
        throw SystemError(errno)
      }
    }
  }

  /// Overwrites a file with a text; the file is created if it is missing.
  ///
  /// - Throws: the system's error; part of the text may have been written.
  package static func write(_ text: String, to path: String) throws(SystemError) {
    guard let file = fopen(path, "we") else { throw SystemError(errno) }
    let count = fputs(text, file)
    let reason = errno
    guard fclose(file) == 0 else { throw SystemError(errno) }
    guard count >= 0 else { throw SystemError(reason) }
  }
}
