internal import Glibc

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
