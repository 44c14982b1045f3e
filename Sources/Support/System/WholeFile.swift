internal import Glibc

/// Files that are read and written whole.
package enum WholeFile {
  /// The bytes of a file, a bit more than the limit if it is larger.
  ///
  /// Unless it `waits`, reading never waits, as it would for bytes from a pipe.
  ///
  /// - Throws: the system's error.
  package static func read(
    _ path: String, limit: Int = .max, waits: Bool = false
  ) throws(SystemError) -> [UInt8] {
    let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (waits ? 0 : O_NONBLOCK)
    let descriptor = Descriptor.uninterrupted { open(path, flags) }
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
    while bytes.count <= limit {
      let count = Descriptor.uninterrupted { Glibc.read(descriptor, &chunk, chunk.count) }
      if count == 0 { break }
      guard count > 0 else { throw SystemError(errno) }
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
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
