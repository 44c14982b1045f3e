internal import Glibc
package import Support

/// A file to which a recording is written, line by line.
///
/// It is created with mode 600.
package struct RecordingFile: Sendable {
  package let path: String
  private let descriptor: Int32

  /// Creates a file, or opens an existing one.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - continues: whether to append to the file's content instead of discarding it.
  /// - Throws: the system's error.
  package init(path: String, continues: Bool = false) throws(SystemError) {
    self.path = path
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_APPEND | (continues ? 0 : O_TRUNC)
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw SystemError(errno) }
  }

  /// Writes lines, each with its newline.
  ///
  /// - Throws: the system's error; some of the lines may have been written.
  package func write(_ lines: [String]) throws(InputOutputError) {
    var text = ""
    for line in lines {
      text += line
      text += "\n"
    }
    let descriptor = descriptor
    let result = text.withUTF8 { bytes -> Result<Void, InputOutputError> in
      Result { () throws(InputOutputError) in
        try Descriptor.write(descriptor, UnsafeRawBufferPointer(bytes))
      }
    }
    try result.get()
  }

  /// Closes the file.
  package func close() { Glibc.close(descriptor) }

  /// Finds the last step of a recording, to continue it.
  ///
  /// - Returns: the number of the last step, or 0 if there is none, and whether a crash follows it;
  ///   `nil` if the file is empty or can't be opened.
  package static func lastStep(of path: String) -> (number: Int, hasCrashed: Bool)? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    guard status.st_size > 0 else { return nil }
    // The last step is seldom longer than 64 KiB; otherwise the whole file is read.
    var hasCrashed = false
    for length in [1 << 16, Int(status.st_size)] {
      let count = min(length, Int(status.st_size))
      var bytes = [UInt8](repeating: 0, count: count)
      let read = pread(descriptor, &bytes, count, status.st_size - count)
      hasCrashed = false
      for line in bytes.prefix(max(read, 0)).split(separator: 0x0a).reversed() {
        switch try? RecordingLine(line) {
        case .step(let step)?: return (step.number, hasCrashed)
        case .keyframe(let step, _)?: return (step, hasCrashed)
        case .end(.crashed)?: hasCrashed = true
        case .end(.ended)?, nil: break
        }
      }
    }
    return (0, hasCrashed)
  }
}
