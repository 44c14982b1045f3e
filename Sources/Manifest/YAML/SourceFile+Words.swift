internal import Diagnostics

extension SourceFile {
  /// The run of text at a byte up to white space or what ends a value between braces.
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

  /// Whether nothing but white space follows a byte.
  func isBlank(from offset: Int) -> Bool {
    bytes[min(offset, bytes.count)...].allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }

  /// The ASCII character at a byte; `?` where there is none.
  func character(at offset: Int) -> Character {
    offset < bytes.count ? Character(Unicode.Scalar(bytes[offset])) : "?"
  }

  /// The backslash at or just before a byte, and the character behind it.
  func escape(near offset: Int) -> (text: String, position: SourcePosition) {
    var start = min(offset, bytes.count)
    if start >= bytes.count || bytes[start] != UInt8(ascii: "\\") { start = max(0, start - 1) }
    var end = min(start + 2, bytes.count)
    while end < bytes.count, UTF8Text.isContinuation(bytes[end]) { end += 1 }
    return (String(decoding: bytes[start..<end], as: UTF8.self), position(ofByte: start))
  }
}

extension SourceFile {
  /// The spaces that a line begins with.
  func indentation(ofLine line: Int) -> Int {
    let start = byte(at: SourcePosition(line: line, column: 1))
    return bytes[min(start, bytes.count)...].prefix { $0 == 0x20 }.count
  }
}
