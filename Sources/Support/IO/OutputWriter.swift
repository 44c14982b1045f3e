internal import Glibc
internal import Synchronization

/// Writes the program's text to a file descriptor, each call in one go as far as the system allows.
///
/// The text is made safe first, according to its kind.
public struct OutputWriter: Sendable {
  /// The kind of text, which determines what it may contain.
  public enum Content: Sendable {
    /// Text without any control sequences.
    case text
    /// Lines that may be colored.
    case styled
    /// One JSON object per line.
    case json
    /// Text that moves the cursor, made of rows that are safe already.
    case drawing
  }

  private let descriptor: Int32
  private let content: Content

  /// Creates a writer; it does not close the descriptor.
  public init(descriptor: Int32 = StandardOutput.descriptor, content: Content = .styled) {
    self.descriptor = descriptor
    self.content = content
  }

  private func safe(_ text: String) -> String {
    switch content {
    case .text: SafeText.text(text)
    case .styled: SafeText.styled(text)
    case .json: SafeText.json(text)
    case .drawing: text
    }
  }

  /// Writes the lines, a newline after each, in one go.
  ///
  /// - Throws: ``InputOutputError``; some of the lines may have been written.
  public func write(lines: [String]) throws(InputOutputError) {
    try write(lines.map { $0 + "\n" }.joined())
  }

  /// Writes the text, once it is made safe, without adding a newline.
  public func write(_ text: String) throws(InputOutputError) {
    try Descriptor.write(descriptor, Array(safe(text).utf8))
  }
}

/// Where the program's own output goes: standard output as it was when the program started.
public enum StandardOutput {
  private static let own = Atomic<Int32>(STDOUT_FILENO)

  public static var descriptor: Int32 { own.load(ordering: .relaxed) }

  /// Reserves standard output for the program: whatever other code in this process writes there
  /// from now on goes into a pipe.
  ///
  /// - Returns: the read end of the pipe; `nil` if that fails, and then nothing changes.
  package static func claim() -> Int32? {
    guard descriptor == STDOUT_FILENO, let (reading, writing) = Descriptor.pipe() else {
      return nil
    }
    defer { close(writing) }
    let kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard kept >= 0, dup2(writing, STDOUT_FILENO) >= 0 else {
      close(reading)
      return nil
    }
    own.store(kept, ordering: .sequentiallyConsistent)
    // C's `stdout` is line-buffered from now on, so that a line arrives when it is printed.
    if let stream = dlsym(nil, "stdout")?.load(as: UnsafeMutablePointer<FILE>?.self) {
      setvbuf(stream, nil, _IOLBF, 0)
    }
    return reading
  }
}

/// An error in reading or writing a file descriptor.
public enum InputOutputError: Error, Hashable, Sendable {
  /// The reader of the output has closed it (`EPIPE`).
  case readerGone
  /// There is no space left (`ENOSPC`, `EDQUOT`).
  case noSpace
  /// Reading failed with this error.
  case cannotRead(errno: Int32)
  /// Writing failed with this error.
  case cannotWrite(errno: Int32)
}

extension InputOutputError: CustomStringConvertible {
  /// What went wrong, with the system's message.
  public var description: String {
    switch self {
    case .readerGone: "nobody reads the output any more"
    case .noSpace: "there is no room left to write the output"
    case .cannotRead(let number): "the input can't be read: \(SystemError(number))"
    case .cannotWrite(let number): "the output can't be written: \(SystemError(number))"
    }
  }
}
