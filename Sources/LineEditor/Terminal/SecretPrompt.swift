public import Glibc
public import Support

/// Asks on a terminal for a secret, without showing it.
public struct SecretPrompt: Sendable {
  /// The result of a question.
  public enum Answer: Hashable, Sendable {
    /// The bytes that were typed.
    case bytes([UInt8])
    /// The user gave up: Ctrl-C, or the input ended.
    case cancelled
  }

  private let input: Int32
  private let output: Int32

  /// Creates a prompt that reads from `input` and writes to `output`.
  public init(input: Int32 = STDIN_FILENO, output: Int32 = STDERR_FILENO) {
    self.input = input
    self.output = output
  }

  /// Asks the question; the input is not echoed, and the terminal's modes are restored afterwards.
  ///
  /// Backspace and Ctrl-U work. Ctrl-C and Ctrl-D end the question, not the process, which would
  /// leave the terminal without echo.
  /// - Throws: ``InputOutputError``.
  public func ask(_ question: String) throws(InputOutputError) -> Answer {
    let writer = OutputWriter(descriptor: output, content: .text)
    // Also restores the echo if a signal ends the process.
    TerminalModes.enter(.silence, input: input, output: output)
    defer { TerminalModes.restore() }
    try writer.write(SafeText.line(question) + ": ")
    let answer = try read()
    try writer.write("\n")
    return answer
  }

  private func read() throws(InputOutputError) -> Answer {
    var typed: [UInt8] = []
    while let byte = try readByte() {
      switch byte {
      case 0x0a, 0x0d: return .bytes(typed)
      case 0x03: return .cancelled
      case 0x04: if typed.isEmpty { return .cancelled }
      case 0x08, 0x7f: Self.removeLastScalar(&typed)
      case 0x15: typed = []
      default: if typed.count < 1 << 20 { typed.append(byte) }
      }
    }
    return typed.isEmpty ? .cancelled : .bytes(typed)
  }

  /// Reads one byte at a time, since the bytes after the answer belong to the next reader.
  private func readByte() throws(InputOutputError) -> UInt8? {
    var byte: UInt8 = 0
    let input = input
    let result = withUnsafeMutableBytes(of: &byte) { buffer -> Result<Int, InputOutputError> in
      Result { () throws(InputOutputError) in try Descriptor.read(input, into: buffer) }
    }
    return try result.get() == 1 ? byte : nil
  }

  private static func removeLastScalar(_ typed: inout [UInt8]) {
    while let byte = typed.popLast(), byte & 0xc0 == 0x80 {}
  }
}
