internal import Glibc

/// Files that are read and written whole.
package enum WholeFile {
  /// The bytes of a file.
  ///
  /// One that has no end, such as a pipe, is not waited for.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the most bytes that are wanted; of a longer file some more are read.
  /// - Returns: the bytes.
  /// - Throws: the system's error.
  package static func read(_ path: String, limit: Int = .max) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
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

  /// Writes a text over what is in a file, which is made where it is missing.
  ///
  /// - Throws: the system's error; part of the text may be there then.
  package static func write(_ text: String, to path: String) throws(SystemError) {
    guard let file = fopen(path, "we") else { throw SystemError(errno) }
    let count = fputs(text, file)
    let reason = errno
    guard fclose(file) == 0 else { throw SystemError(errno) }
    guard count >= 0 else { throw SystemError(reason) }
  }
}
