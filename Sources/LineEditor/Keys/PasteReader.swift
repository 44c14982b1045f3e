/// Collects the text between the marks of a bracketed paste.
struct PasteReader: Sendable {
  private var bytes: [UInt8] = []
  private var isCut = false
  private static let end = Array("\u{1b}[201~".utf8)
  /// The maximum length in bytes; a longer paste is truncated.
  private static let limit = 16 << 20

  /// Takes a byte; `true` if it ends the paste.
  mutating func feed(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    guard byte == UInt8(ascii: "~"), bytes.count >= Self.end.count,
      bytes[(bytes.count - Self.end.count)...].elementsEqual(Self.end)
    else {
      // The last bytes are kept even beyond the limit, so that the end mark is still found.
      if bytes.count > Self.limit + 64 { bytes.removeSubrange(Self.limit..<Self.limit + 32) }
      return false
    }
    bytes.removeLast(Self.end.count)
    return true
  }

  /// Returns the text, with line ends as `\n`, invalid UTF-8 repaired and other control characters
  /// removed.
  mutating func finish() -> String {
    var text = String.UnicodeScalarView()
    var afterReturn = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      defer { afterReturn = scalar == "\r" }
      switch scalar.value {
      case 0x0a where afterReturn: continue
      case 0x0a, 0x0d: text.append("\n")
      case 0x09: text.append("\t")
      case 0..<0x20, 0x7f..<0xa0: continue
      default: text.append(scalar)
      }
    }
    bytes = []
    return String(text)
  }
}
