internal import Glibc
package import Support

/// A file to which a recording is written, line by line; readable by its owner alone.
package struct RecordingFile: Sendable {
  package let path: String
  private let descriptor: Int32

  /// Creates a file, or opens one to continue it.
  ///
  /// - Parameters:
  ///   - path: the file; what is in it is given up unless it is continued.
  ///   - continues: whether what is written comes behind what is there.
  /// - Throws: the system's error.
  package init(path: String, continues: Bool = false) throws(SystemError) {
    self.path = path
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_APPEND | (continues ? 0 : O_TRUNC)
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw SystemError(errno) }
  }

  /// Writes lines, each with its newline.
  ///
  /// - Throws: the system's error; part of the lines may be there then.
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

  /// The last step of a recording that is to be continued, with which its numbers go on.
  ///
  /// - Returns: its number, 0 where there is none, and whether the file ends with a crash; `nil` where
  ///   there is no header.
  package static func lastStep(of path: String) -> (number: Int, hasCrashed: Bool)? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    guard status.st_size > 0 else { return nil }
    // A step is seldom longer; where none is found, all of the file is read.
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
