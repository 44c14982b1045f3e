public import Glibc
public import Support

/// Asks on a terminal for a secret, without showing it.
public enum SecretPrompt {
  /// Asks the question; the input is not echoed, and the terminal's modes are restored afterwards.
  ///
  /// Backspace and Ctrl-U work. Ctrl-C and Ctrl-D end the question, not the process, which would
  /// leave the terminal without echo.
  ///
  /// - Returns: the bytes that were typed; `nil` if the user gave up, or the input ended.
  /// - Throws: ``InputOutputError``.
  public static func ask(
    _ question: String, input: Int32 = STDIN_FILENO, output: Int32 = STDERR_FILENO
  ) throws(InputOutputError) -> [UInt8]? {
    let writer = OutputWriter(descriptor: output, content: .text)
    // Also restores the echo if a signal ends the process.
    TerminalModes.enter(.silence, input: input, output: output)
    defer { TerminalModes.restore() }
    try writer.write(SafeText.line(question) + ": ")
    let answer = try read(input)
    try writer.write("\n")
    return answer
  }

  private static func read(_ input: Int32) throws(InputOutputError) -> [UInt8]? {
    var typed: [UInt8] = []
    // One byte at a time, since the bytes after the answer belong to the next reader.
    while let byte = try Descriptor.read(input, atMost: 1).first {
      switch byte {
      case 0x0a, 0x0d: return typed
      case 0x03: return nil
      case 0x04: if typed.isEmpty { return nil }
      // The last scalar, with all its bytes.
      case 0x08, 0x7f: while let byte = typed.popLast(), byte & 0xc0 == 0x80 {}
      case 0x15: typed = []
      default: if typed.count < 1 << 20 { typed.append(byte) }
      }
    }
    return typed.isEmpty ? nil : typed
  }
}
