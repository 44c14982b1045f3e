public import Glibc

/// Writes lines to a file descriptor, each call wholly or not at all as far as the system lets it.
public struct OutputWriter: Sendable {
  private let descriptor: Int32

  /// Creates a writer; it does not close the descriptor.
  public init(descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

  /// Writes the lines, a newline after each, in one go.
  ///
  /// - Throws: ``InputOutputError``; some of the lines may have been written.
  public func write(lines: [String]) throws(InputOutputError) {
    var text = ""
    for line in lines {
      text += line
      text += "\n"
    }
    try write(text)
  }

  /// Writes the text as it is.
  public func write(_ text: String) throws(InputOutputError) {
    var text = text
    let descriptor = descriptor
    let result = text.withUTF8 { bytes -> Result<Void, InputOutputError> in
      Result { () throws(InputOutputError) in
        try Descriptor.write(descriptor, UnsafeRawBufferPointer(bytes))
      }
    }
    try result.get()
  }

  /// Makes writing to a pipe that nobody reads an error instead of the end of the process.
  ///
  /// It holds for the whole process; call it once, at the start.
  public static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
