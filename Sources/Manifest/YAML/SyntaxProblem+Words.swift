internal import Support

extension SourceFile {
  /// The text from a byte to the next white space or the end of a value in flow style, at most
  /// about 40 bytes.
  func word(at offset: Int) -> String {
    guard offset < bytes.count else { return "" }
    let stops: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ",")]
    let first = bytes[offset]
    var end = offset + 1
    while end < bytes.count, !stops.contains(bytes[end]), end < offset + 40 {
      if first != UInt8(ascii: "{"), bytes[end] == UInt8(ascii: "}") { break }
      if bytes[end] == UInt8(ascii: "]") { break }
      end += 1
    }
    while end < bytes.count, UTF8Text.isContinuation(bytes[end]) { end += 1 }
    return String(decoding: bytes[offset..<end], as: UTF8.self)
  }

  /// Whether there is nothing but white space from a byte on.
  func isBlank(from offset: Int) -> Bool {
    bytes[min(offset, bytes.count)...].allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }

  /// The ASCII character at a byte; `?` where there is none.
  func character(at offset: Int) -> Character {
    offset < bytes.count ? Character(Unicode.Scalar(bytes[offset])) : "?"
  }

  /// The `}` or `]` at a byte; `nil` if there is none.
  func closing(at offset: Int) -> Character? {
    let character = character(at: offset)
    return character == "}" || character == "]" ? character : nil
  }

  /// The backslash at or just before a byte, and the character after it.
  func escape(near offset: Int) -> (text: String, position: SourcePosition) {
    var start = min(offset, bytes.count)
    if start >= bytes.count || bytes[start] != UInt8(ascii: "\\") { start = max(0, start - 1) }
    var end = min(start + 2, bytes.count)
    while end < bytes.count, UTF8Text.isContinuation(bytes[end]) { end += 1 }
    return (String(decoding: bytes[start..<end], as: UTF8.self), position(ofByte: start))
  }
}

extension SyntaxProblem {
  /// The unquoted value around a byte, from the `:` or `-` before it to the end of its line, or in
  /// flow style to the delimiter after it; `nil` if the value contains quotes or has no end.
  func value(around byte: Int, isFlow: Bool) -> Located<String>? {
    let isFlow = isFlow || hasOpening(before: byte)
    let bytes = source.bytes
    let blanks: Set<UInt8> = [0x20, 0x09]
    func isBreak(_ offset: Int) -> Bool { bytes[offset] == 0x0A || bytes[offset] == 0x0D }
    func ends(_ offset: Int) -> Bool {
      ["{", "[", ","].contains(source.character(at: offset))
        || (bytes[offset] == UInt8(ascii: ":") || bytes[offset] == UInt8(ascii: "-"))
          && blanks.contains(bytes[offset + 1])
    }
    guard byte < bytes.count else { return nil }
    var start = byte
    while start > 0, !isBreak(start - 1), !ends(start - 1) { start -= 1 }
    guard start > 0, !isBreak(start - 1) else { return nil }
    while start < byte, blanks.contains(bytes[start]) { start += 1 }
    var end = byte
    var depth = 0
    while end < bytes.count, !isBreak(end) {
      if bytes[end] == UInt8(ascii: "#"), blanks.contains(bytes[end - 1]) { break }
      if isFlow {
        if depth == 0, ["}", "]", ","].contains(source.character(at: end)) { break }
        depth += bytes[end] == UInt8(ascii: "{") ? 1 : bytes[end] == UInt8(ascii: "}") ? -1 : 0
      }
      end += 1
    }
    if isFlow, end == bytes.count || isBreak(end) { return nil }
    while end > start, blanks.contains(bytes[end - 1]) { end -= 1 }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    guard !text.contains("\""), !text.contains("'") else { return nil }
    return Located(text, at: range(source.position(ofByte: start), source.position(ofByte: end)))
  }

  /// Whether a list or map in flow style that begins on a byte's line is still open at the byte.
  private func hasOpening(before byte: Int) -> Bool {
    var open = 0
    var quote: Character?
    for offset in (source.bytes[..<byte].lastIndex(of: 0x0A) ?? 0)..<byte {
      let character = source.character(at: offset)
      switch character {
      case quote: quote = nil
      case _ where quote != nil: break
      case "\"", "'": quote = character
      case "{", "[": open += 1
      case "}", "]": open -= 1
      default: break
      }
    }
    return open > 0
  }
}
