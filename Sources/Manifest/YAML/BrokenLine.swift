internal import Support

/// A line that was meant as a key and its value but is not valid YAML, with its problem.
struct BrokenLine {
  private let source: SourceFile
  private let file: Int
  private let bytes: ArraySlice<UInt8>

  /// Creates the line with a number, counted from 1; `nil` if it is blank.
  init?(_ source: SourceFile, file: Int, line: Int) {
    self.source = source
    self.file = file
    guard source.lines.indices.contains(line - 1) else { return nil }
    let text = source.bytes[source.lines[line - 1]]
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let first = text.firstIndex(where: { !isBlank($0) }),
      let last = text.lastIndex(where: { !isBlank($0) })
    else { return nil }
    bytes = text[first...last]
  }

  /// The first conflict marker that version control left in the file, as a problem.
  static func mergeMark(in source: SourceFile, file: Int) -> Diagnostic? {
    let mark = Array("<<<<<<< ".utf8)
    guard let line = source.lines.firstIndex(where: { source.bytes[$0].starts(with: mark) }) else {
      return nil
    }
    return Diagnostic(
      .syntax,
      at: SourceRange(
        file: file, start: SourcePosition(line: line + 1, column: 1),
        end: SourcePosition(line: line + 1, column: mark.count)),
      "version control could not merge what follows; keep one side, and remove the marks")
  }

  /// The first line up to another that is indented with characters that only look like spaces, as
  /// a problem.
  static func otherIndentation(
    upTo last: Int, in source: SourceFile, file: Int
  ) -> Diagnostic? {
    guard source.bytes.contains(where: { $0 > 0x7F }) else { return nil }
    for (number, line) in source.lines.prefix(last).enumerated() {
      let first = source.bytes[line].first { $0 != 0x20 && $0 != 0x09 }
      guard let first, first > 0x7F else { continue }
      let text = String(decoding: source.bytes[line], as: UTF8.self).unicodeScalars
      let before = text.prefix { $0.value == 0x20 || $0.value == 0x09 }.count
      let spaces = text.dropFirst(before).prefix(while: \.isOtherSpace)
      guard let scalar = spaces.first, spaces.count < text.count - before else { continue }
      return Diagnostic(
        .syntax,
        at: SourceRange(
          file: file, start: SourcePosition(line: number + 1, column: before + 1),
          end: SourcePosition(line: number + 1, column: before + 1 + spaces.count)),
        "this line is indented with U+\(Wording.hex(scalar.value)), not with spaces; write spaces",
        correction: .init(
          String(spaces), String(repeating: " ", count: spaces.count), isSource: true))
    }
    return nil
  }

  /// The first line of the multi-line text in which libyaml found a `:`; `nil` if the text is only
  /// on the line of the `:`.
  static func beginning(ofTextBefore mark: SourcePosition, in source: SourceFile) -> Int? {
    let start = source.lines[min(mark.line, source.lines.count) - 1].lowerBound
    guard mark.line > 1, !hasColon(source.bytes[start..<max(start, source.byte(at: mark))]) else {
      return nil
    }
    var beginning: Int?
    for (number, line) in source.lines.prefix(mark.line - 1).enumerated() {
      let text = source.bytes[line]
      let isEmpty = text.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      if isEmpty || hasColon(text) || text.first(where: { $0 != 0x20 }) == UInt8(ascii: "#") {
        beginning = nil
      } else if beginning == nil {
        beginning = number + 1
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

  var problem: Diagnostic {
    if bytes.starts(with: "//".utf8) {
      return syntax(
        "a comment begins with '#' in YAML, not with '//'",
        bytes.startIndex..<bytes.startIndex + 2, correction: .init("//", "#", isSource: true))
    }
    let word = bytes.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "=") && $0 > 0x20 }
    let name = String(decoding: word, as: UTF8.self)
    let key = Wording.printable(name)
    let after = bytes[word.endIndex...].first { $0 != 0x20 }
    switch after {
    case UInt8(ascii: ":"):
      let colon = word.endIndex..<word.endIndex + 1
      guard let (scalar, bytes) = unicodeSpace(at: colon.upperBound) else {
        return syntax(
          "a space is missing after '\(key):'", colon, correction: .init(":", ": ", isSource: true)
        )
      }
      return syntax(
        "what follows '\(key):' is U+\(Wording.hex(scalar.value)), not a space; write a space",
        bytes,
        correction: .init(String(Character(scalar)), " ", isSource: true))
    case UInt8(ascii: "="):
      let rest = bytes[word.endIndex...]
      let value = rest.drop { $0 == 0x20 }.dropFirst().drop { $0 == 0x20 }
      let sign = word.endIndex..<value.startIndex
      return syntax(
        "'=' does not give a key its value; write '\(key): '", sign,
        correction: .init(String(decoding: bytes[sign], as: UTF8.self), ": ", isSource: true))
    default:
      let isKey = Keyword(rawValue: name) != nil
      let end = isKey ? word.endIndex : bytes.endIndex
      return syntax(
        "a ':' is missing after "
          + quote(isKey ? name : String(decoding: bytes, as: UTF8.self)), end..<end,
        correction: isKey && word.count < bytes.count ? .init("", ":", isSource: true) : nil)
    }
  }

  /// A character that looks like a space but is not one in YAML; `nil` if there is none.
  private func unicodeSpace(at offset: Int) -> (scalar: Unicode.Scalar, bytes: Range<Int>)? {
    let text = String(decoding: bytes[offset...], as: UTF8.self)
    guard let scalar = text.unicodeScalars.first, scalar.isOtherSpace else { return nil }
    return (scalar, offset..<offset + UTF8.width(scalar))
  }

  private func syntax(
    _ message: String, _ bytes: Range<Int>, correction: Correction?
  ) -> Diagnostic {
    Diagnostic(
      .syntax,
      at: SourceRange(
        file: file, start: source.position(ofByte: bytes.lowerBound),
        end: source.position(ofByte: bytes.upperBound)), message, correction: correction)
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
