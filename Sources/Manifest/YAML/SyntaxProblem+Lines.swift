internal import Support

// Lines that were meant as a key and its value, or as an entry of a list, but are not valid YAML.
extension SyntaxProblem {
  /// The first conflict marker that version control left in the file, as a problem.
  var mergeMark: Diagnostic? {
    let mark = Array("<<<<<<< ".utf8)
    guard let line = source.lines.firstIndex(where: { source.bytes[$0].starts(with: mark) }) else {
      return nil
    }
    let start = SourcePosition(line: line + 1, column: 1)
    return syntax(
      "version control could not merge what follows; keep one side, and remove the marks", start,
      SourcePosition(line: line + 1, column: mark.count))
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

  /// The problem of the line that was meant as a key and its value; `nil` if that does not explain
  /// the error.
  var brokenLine: Diagnostic? {
    let number: Int? =
      switch failure.problem {
      case "could not find expected ':'": failure.contextMark.line
      case "mapping values are not allowed in this context": beginningOfText
      default: nil
      }
    guard let number, source.lines.indices.contains(number - 1),
      case let text = source.bytes[source.lines[number - 1]],
      let first = text.firstIndex(where: { !Self.isBlank($0) }),
      let last = text.lastIndex(where: { !Self.isBlank($0) })
    else { return nil }
    return problem(ofLine: text[first...last])
  }

  /// The first line of the multi-line text in which libyaml found a `:`; `nil` if the text is only
  /// on the line of the `:`.
  private var beginningOfText: Int? {
    let mark = failure.mark
    let start = source.lines[min(mark.line, source.lines.count) - 1].lowerBound
    guard mark.line > 1, !hasColon(source.bytes[start..<max(start, source.byte(at: mark))]) else {
      return nil
    }
    var beginning: Int?
    for (number, line) in source.lines.prefix(mark.line - 1).enumerated() {
      let text = source.bytes[line]
      if text.allSatisfy(Self.isBlank) || hasColon(text)
        || text.first(where: { $0 != 0x20 }) == UInt8(ascii: "#")
      {
        beginning = nil
      } else if beginning == nil {
        beginning = number + 1
      }
    }
    return beginning
  }

  /// Whether a line has a `:` that ends a key.
  private func hasColon(_ text: ArraySlice<UInt8>) -> Bool {
    text.indices.contains { index in
      text[index] == UInt8(ascii: ":") && (index + 1 == text.endIndex || text[index + 1] == 0x20)
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The problem of a line, given without white space at its ends.
  private func problem(ofLine bytes: ArraySlice<UInt8>) -> Diagnostic {
    func syntax(_ message: String, _ bytes: Range<Int>, correction: Correction?) -> Diagnostic {
      self.syntax(
        message, source.position(ofByte: bytes.lowerBound),
        source.position(ofByte: bytes.upperBound), correction: correction)
    }
    if bytes.starts(with: "//".utf8) {
      return syntax(
        "a comment begins with '#' in YAML, not with '//'",
        bytes.startIndex..<bytes.startIndex + 2, correction: .init("//", "#", isSource: true))
    }
    let word = bytes.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "=") && $0 > 0x20 }
    let name = String(decoding: word, as: UTF8.self)
    let key = Wording.printable(name)
    switch bytes[word.endIndex...].first(where: { $0 != 0x20 }) {
    case UInt8(ascii: ":"):
      let colon = word.endIndex..<word.endIndex + 1
      let after = String(decoding: bytes[colon.upperBound...], as: UTF8.self)
      guard let scalar = after.unicodeScalars.first, scalar.isOtherSpace else {
        return syntax(
          "a space is missing after '\(key):'", colon, correction: .init(":", ": ", isSource: true)
        )
      }
      return syntax(
        "what follows '\(key):' is U+\(Wording.hex(scalar.value)), not a space; write a space",
        colon.upperBound..<colon.upperBound + UTF8.width(scalar),
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

  /// The problem of a `-` that is missing before an entry of a list, or that has no space after it.
  var dashProblem: Diagnostic? {
    guard !failure.problem.contains("',' or"), isAboutLines else { return nil }
    let last = failure.mark.line
    let candidates = [failure.contextMark.line, last, last - 1].filter { (1...last).contains($0) }
    for line in candidates {
      if let dash = dash(ofLine: line), !dash.isFollowedBySpace {
        return syntax(
          "a space is missing after '-'", dash.position,
          SourcePosition(line: line, column: dash.position.column + 1),
          correction: .init("-", "- ", isSource: true))
      }
    }
    for line in candidates where dash(ofLine: line) == nil {
      let indentation = indentation(ofLine: line)
      let isInList = [line - 1, line + 1].contains {
        $0 >= 1 && dash(ofLine: $0)?.position.column == indentation + 1
      }
      guard isInList else { continue }
      return syntax(
        "a '-' is missing before this entry of the list, or its indentation is wrong",
        SourcePosition(line: line, column: indentation + 1))
    }
    return nil
  }

  /// Whether the error is one of lines and their indentation.
  private var isAboutLines: Bool {
    [
      "did not find expected key", "did not find expected '-' indicator",
      "could not find expected ':'", "mapping values are not allowed",
      "block sequence entries are not allowed",
    ].contains { failure.problem.hasPrefix($0) }
  }

  /// The number of spaces at the start of a line.
  func indentation(ofLine line: Int) -> Int {
    let start = source.byte(at: SourcePosition(line: line, column: 1))
    return source.bytes[min(start, source.bytes.count)...].prefix { $0 == 0x20 }.count
  }

  /// The `-` with which a line begins; `nil` if it begins with something else.
  private func dash(ofLine line: Int) -> (position: SourcePosition, isFollowedBySpace: Bool)? {
    let position = SourcePosition(line: line, column: indentation(ofLine: line) + 1)
    let rest = source.bytes[min(source.byte(at: position), source.bytes.count)...]
    guard rest.first == UInt8(ascii: "-"), !rest.starts(with: "--".utf8) else { return nil }
    return (position, rest.dropFirst().first.map { " \t\n\r".utf8.contains($0) } ?? true)
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
