internal import Support

/// A line that was meant as a key and its value but is not valid YAML, with its problem.
struct BrokenLine {
  let source: SourceFile
  let file: Int
  /// The line, counted from 1.
  let line: Int

  private let bytes: ArraySlice<UInt8>

  init?(_ source: SourceFile, file: Int, line: Int) {
    self.source = source
    self.file = file
    self.line = line
    let start = source.byte(at: SourcePosition(line: line, column: 1))
    let text = source.bytes[start...].prefix { $0 != 0x0A && $0 != 0x0D }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let first = text.firstIndex(where: { !isBlank($0) }),
      let last = text.lastIndex(where: { !isBlank($0) })
    else { return nil }
    bytes = text[first...last]
  }

  /// The first conflict marker that version control left in the file, as a problem.
  static func mergeMark(in source: SourceFile, file: Int) -> Diagnostic? {
    let mark = Array("<<<<<<< ".utf8)
    var lines = LineIterator(bytes: source.bytes)
    var number = 0
    while let line = lines.next() {
      number += 1
      guard source.bytes[line].starts(with: mark) else { continue }
      let start = SourcePosition(line: number, column: 1)
      let end = SourcePosition(line: number, column: mark.count)
      return Diagnostic(.mergeMark, at: SourceRange(file: file, start: start, end: end))
    }
    return nil
  }

  /// The first line up to another that is indented with characters that only look like spaces, as
  /// a problem.
  static func otherIndentation(
    upTo last: Int, in source: SourceFile, file: Int
  ) -> Diagnostic? {
    guard source.bytes.contains(where: { $0 > 0x7F }) else { return nil }
    var lines = LineIterator(bytes: source.bytes)
    var number = 0
    while number < last, let line = lines.next() {
      number += 1
      let first = source.bytes[line].first { $0 != 0x20 && $0 != 0x09 }
      guard let first, first > 0x7F else { continue }
      let text = String(decoding: source.bytes[line], as: UTF8.self).unicodeScalars
      let before = text.prefix { $0.value == 0x20 || $0.value == 0x09 }.count
      let spaces = text.dropFirst(before).prefix(while: \.isOtherSpace)
      guard let scalar = spaces.first, spaces.count < text.count - before else { continue }
      return Diagnostic(
        .otherIndentation(String(spaces), scalar),
        at: SourceRange(
          file: file, start: SourcePosition(line: number, column: before + 1),
          end: SourcePosition(line: number, column: before + 1 + spaces.count)))
    }
    return nil
  }

  /// The first line of the multi-line text in which libyaml found a `:`; `nil` if the text is only
  /// on the line of the `:`.
  static func beginning(ofTextBefore mark: SourcePosition, in source: SourceFile) -> Int? {
    let byte = source.byte(at: mark)
    let start = source.byte(at: SourcePosition(line: mark.line, column: 1))
    guard mark.line > 1, !hasColon(source.bytes[start..<max(start, byte)]) else { return nil }
    var lines = LineIterator(bytes: source.bytes)
    var beginning: Int?
    var number = 0
    while let line = lines.next(), number + 1 < mark.line {
      number += 1
      let text = source.bytes[line]
      let isEmpty = text.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      if isEmpty || hasColon(text) || text.first(where: { $0 != 0x20 }) == UInt8(ascii: "#") {
        beginning = nil
      } else if beginning == nil {
        beginning = number
      }
    }
    return beginning
  }

  /// Whether a line has a `:` that ends a key.
  private static func hasColon(_ text: ArraySlice<UInt8>) -> Bool {
    text.indices.contains { index in
      text[index] == UInt8(ascii: ":") && (index + 1 == text.endIndex || text[index + 1] == 0x20)
    }
  }

  /// The problem of the line.
  var problem: Diagnostic {
    if bytes.starts(with: "//".utf8) {
      return Diagnostic(.slashComment, at: range(bytes.startIndex..<bytes.startIndex + 2))
    }
    let word = bytes.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "=") && $0 > 0x20 }
    let name = String(decoding: word, as: UTF8.self)
    let after = bytes[word.endIndex...].first { $0 != 0x20 }
    switch after {
    case UInt8(ascii: ":"):
      let colon = word.endIndex..<word.endIndex + 1
      guard let space = unicodeSpace(at: colon.upperBound) else {
        return Diagnostic(.missingSpace(after: name), at: range(colon))
      }
      return Diagnostic(.otherSpace(space.scalar, after: name), at: range(space.bytes))
    case UInt8(ascii: "="):
      let rest = bytes[word.endIndex...]
      let value = rest.drop { $0 == 0x20 }.dropFirst().drop { $0 == 0x20 }
      let sign = word.endIndex..<value.startIndex
      return Diagnostic(
        .equalsSign(after: name, String(decoding: bytes[sign], as: UTF8.self)), at: range(sign))
    default:
      let isKey = Keyword(rawValue: name) != nil
      let end = isKey ? word.endIndex : bytes.endIndex
      let key = isKey ? name : String(decoding: bytes, as: UTF8.self)
      return Diagnostic(
        .missingColon(after: key, isFollowed: isKey && word.count < bytes.count),
        at: range(end..<end))
    }
  }

  /// A character that looks like a space but is not one in YAML; `nil` if there is none.
  private func unicodeSpace(at offset: Int) -> (scalar: Unicode.Scalar, bytes: Range<Int>)? {
    let text = String(decoding: bytes[offset...], as: UTF8.self)
    guard let scalar = text.unicodeScalars.first, scalar.isOtherSpace else { return nil }
    return (scalar, offset..<offset + UTF8.width(scalar))
  }

  private func range(_ bytes: Range<Int>) -> SourceRange {
    SourceRange(
      file: file, start: source.position(ofByte: bytes.lowerBound),
      end: source.position(ofByte: bytes.upperBound))
  }
}

extension Unicode.Scalar {
  /// Whether it looks like a space, or like nothing, but is none to YAML.
  var isOtherSpace: Bool {
    guard value > 0x7F else { return false }
    switch properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .format: return true
    default: return value == 0x85
    }
  }
}
