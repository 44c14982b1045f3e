internal import Support

/// Turns an error of libyaml into a problem whose message names the remedy.
struct SyntaxProblem {
  let failure: YAMLFailure
  let source: SourceFile
  let file: Int

  /// The problem; `hints`, which were found before the error, may explain it better.
  func problem(hints: SyntaxHints) -> Diagnostic {
    if failure.isReading { return readingProblem }
    if let mark = BrokenLine.mergeMark(in: source, file: file) { return mark }
    let byte = source.byte(at: failure.mark)
    if let template = hints.template, template.range.start.line == failure.mark.line {
      return unquotedTemplate(template.value, at: template.range, hints)
    }
    if source.bytes[byte...].starts(with: "{$".utf8) {
      return unquotedTemplate(source.word(at: byte), at: range(failure.mark), hints)
    }
    if let space = BrokenLine.otherIndentation(upTo: failure.mark.line, in: source, file: file) {
      return space
    }
    if !failure.problem.contains("escape"), !failure.problem.contains("hexdecimal"),
      let start = UnclosedQuote.beginning(beforeErrorAt: byte, in: source.bytes)
    {
      return unclosedQuote(at: source.position(ofByte: start))
    }
    if let cut = hints.comment, cut.comment.range.start.line <= failure.mark.line {
      return cut.problem(isWhole: false)
    }
    if hints.opening != nil, isColonOnNextLine(byte) {
      return Diagnostic(.colonOnNextLine, at: range(failure.mark))
    }
    if let opening = hints.opening, let hash = hidingComment(from: opening) {
      let text = source.bytes[hash...].prefix { $0 != 0x0A && $0 != 0x0D }
      return Diagnostic(
        .commentInText(String(decoding: text, as: UTF8.self)),
        at: range(source.position(ofByte: hash)))
    }
    if let opening = hints.opening, isLeftOpen(opening, byte: byte) {
      return neverClosed(opening)
    }
    return recognised(byte: byte, hints)
  }

  private func unquotedTemplate(
    _ text: String, at range: SourceRange, _ hints: SyntaxHints
  ) -> Diagnostic {
    let value = source.value(around: source.byte(at: range.start), isFlow: hints.opening != nil)
    return Diagnostic(
      .unquotedTemplate(text, in: value?.text), at: range,
      correcting: value.map { self.range($0.start, $0.end) })
  }

  private func unquotedIndicator(at place: SourcePosition, _ hints: SyntaxHints) -> Diagnostic {
    let byte = source.byte(at: place)
    let value = source.value(around: byte, isFlow: hints.opening != nil)
    return Diagnostic(
      .unquotedIndicator(source.word(at: byte), in: value?.text), at: range(place),
      correcting: value.map { range($0.start, $0.end) })
  }

  /// Whether the list or map at `opening` is never closed: it runs into the end of the file, or
  /// into a line of the enclosing value.
  private func isLeftOpen(_ opening: SourcePosition, byte: Int) -> Bool {
    // The cause is a quoted text that does not end.
    if failure.problem.contains("unexpected end") { return false }
    if source.isBlank(from: byte) { return true }
    guard failure.problem.hasPrefix("did not find expected ','"),
      failure.mark.line > opening.line, byte < source.bytes.count,
      source.bytes[byte] == UInt8(ascii: ":")
    else { return false }
    return source.indentation(ofLine: failure.mark.line)
      <= source.indentation(ofLine: opening.line)
  }

  /// Whether parsing failed at a `:` that is the first character of its line.
  private func isColonOnNextLine(_ byte: Int) -> Bool {
    failure.problem.hasPrefix("did not find expected ','") && source.character(at: byte) == ":"
      && source.indentation(ofLine: failure.mark.line) == failure.mark.column - 1
  }

  /// The problem of a `-` that is missing before an entry of a list, or that has no space after it.
  private var dashProblem: Diagnostic? {
    guard !failure.problem.contains("',' or"), hasLines else { return nil }
    let last = failure.mark.line
    let candidates = [failure.contextMark.line, last, last - 1].filter { (1...last).contains($0) }
    for line in candidates {
      if let dash = source.dash(ofLine: line), !dash.isFollowedBySpace {
        return Diagnostic(
          .missingSpaceAfterDash,
          at: range(dash.position, SourcePosition(line: line, column: dash.position.column + 1)))
      }
    }
    for line in candidates where source.dash(ofLine: line) == nil {
      let indentation = source.indentation(ofLine: line)
      let neighbors = [line - 1, line + 1].filter { $0 >= 1 }
      guard
        neighbors.contains(where: {
          source.dash(ofLine: $0).map { $0.position.column == indentation + 1 } ?? false
        })
      else { continue }
      return Diagnostic(
        .missingEntryDash, at: range(SourcePosition(line: line, column: indentation + 1)))
    }
    return nil
  }

  /// Whether the error is one of lines and their indentation.
  private var hasLines: Bool {
    failure.problem == "did not find expected key"
      || failure.problem == "did not find expected '-' indicator"
      || failure.problem == "could not find expected ':'"
      || failure.problem.hasPrefix("mapping values are not allowed")
      || failure.problem.hasPrefix("block sequence entries are not allowed")
  }

  private func unclosedQuote(at start: SourcePosition) -> Diagnostic {
    Diagnostic(.syntax("the quoted text that begins here does not end"), at: range(start))
  }

  /// The `#` of a comment that hides the end of a line on which a list or map in flow style is
  /// open, where that may close it; `nil` if there is none before the error.
  private func hidingComment(from opening: SourcePosition) -> Int? {
    let start = source.byte(at: opening)
    let end = min(source.byte(at: failure.mark), source.bytes.count)
    var quote: UInt8?
    for offset in start..<max(start, end) {
      let byte = source.bytes[offset]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"),
        " \t{[,:".utf8.contains(source.bytes[max(offset - 1, 0)])
      {
        quote = byte
      } else if byte == UInt8(ascii: "#"), source.bytes[offset - 1] == 0x20,
        source.bytes[offset...].prefix(while: { $0 != 0x0A && $0 != 0x0D })
          .contains(where: { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") })
      {
        return offset
      }
    }
    return nil
  }

  /// The problem of a text in flow style in which a character means something else, or before which
  /// a comma is missing.
  private func missingCommaOrQuotes(_ byte: Int) -> Diagnostic? {
    guard byte > 0, byte < source.bytes.count, case let character = source.character(at: byte),
      [":", "{", "["].contains(character), let value = source.value(around: byte, isFlow: true)
    else { return nil }
    let before = value.text.prefix { $0 != character }
    let words = before.split(separator: " ")
    if character == ":", words.count > 1, let last = words.last,
      Keyword(rawValue: String(last)) != nil
    {
      let column = value.start.column + before.unicodeScalars.count - last.unicodeScalars.count
      return Diagnostic(
        .missingComma(before: String(last)),
        at: range(SourcePosition(line: value.start.line, column: column)))
    }
    guard !before.isEmpty else { return nil }
    if let name = TemplateParser.nameInBraces(value.text) {
      return Diagnostic(
        .badReference(value.text, nearest: Suggestion(name, isCertain: name.hasPrefix("$vars."))),
        at: range(value.start), correcting: range(value.start, value.end))
    }
    return Diagnostic(
      .unquotedText(character, in: value.text), at: range(failure.mark),
      correcting: range(value.start, value.end))
  }

  private func neverClosed(_ opening: SourcePosition) -> Diagnostic {
    let character = source.character(at: source.byte(at: opening))
    return Diagnostic(
      .syntax("the '\(character)' here is never closed"), at: range(opening))
  }

  private func range(_ position: SourcePosition) -> SourceRange { range(position, position) }

  private func range(_ start: SourcePosition, _ end: SourcePosition) -> SourceRange {
    SourceRange(file: file, start: start, end: end)
  }

  private var readingProblem: Diagnostic {
    Diagnostic(.badEncoding, at: range(source.position(ofByte: failure.offset)))
  }

  private func recognised(byte: Int, _ hints: SyntaxHints) -> Diagnostic {
    let character = byte < source.bytes.count ? source.bytes[byte] : 0
    let start = source.byte(at: failure.contextMark)
    let related = Diagnostic.Related(.beginning, at: range(failure.contextMark))
    switch failure.problem {
    case "found character that cannot start any token":
      if character == 0x09 { return Diagnostic(.tabIndentation, at: range(failure.mark)) }
      return unquotedIndicator(at: failure.mark, hints)
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      return Diagnostic(.tabIndentation, at: range(failure.mark))
    case "did not find expected comment or line break",
      "did not find expected alphabetic or numeric character":
      return unquotedIndicator(at: failure.contextMark, hints)
    case "did not find expected hexdecimal number":
      // The mark is after the letter of the escape.
      let escape = source.escape(near: max(0, byte - 2))
      return Diagnostic(.unknownEscape(escape.text), at: range(escape.position))
    case "found unknown escape character":
      let escape = source.escape(near: byte)
      if escape.text == "\\$" {
        let before = source.byte(at: escape.position) - 1
        let isSpecial = before == start || source.character(at: before) == "{"
        let end = SourcePosition(line: escape.position.line, column: escape.position.column + 2)
        return Diagnostic(
          .escapedDollar(isSpecial: isSpecial), at: range(escape.position, end))
      }
      return Diagnostic(.unknownEscape(escape.text), at: range(escape.position))
    case "found undefined tag handle":
      return Diagnostic(.customTag(source.word(at: start)), at: range(failure.contextMark))
    case "found unexpected end of stream", "found unexpected document indicator":
      return unclosedQuote(at: failure.contextMark)
    case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
      if let problem = missingCommaOrQuotes(byte) { return problem }
    default: break
    }
    if let character = source.closing(at: byte), hints.opening == nil {
      return Diagnostic(.strayClosing(character), at: range(failure.mark))
    }
    if let problem = dashProblem { return problem }
    if let line = brokenLine { return line.problem }
    guard let text = Self.wording[failure.problem] else {
      let text = failure.context.isEmpty ? failure.problem : "\(failure.problem) \(failure.context)"
      return Diagnostic(.syntax(text), at: range(failure.mark))
    }
    let hasBeginning = failure.contextMark < failure.mark && failure.context.contains("while")
    return Diagnostic(.syntax(text), at: range(failure.mark), related: hasBeginning ? related : nil)
  }

  /// The line that was meant as a key and its value; `nil` if that does not explain the error.
  private var brokenLine: BrokenLine? {
    let line: Int? =
      switch failure.problem {
      case "could not find expected ':'": failure.contextMark.line
      case "mapping values are not allowed in this context":
        BrokenLine.beginning(ofTextBefore: failure.mark, in: source)
      default: nil
      }
    return line.flatMap { BrokenLine(source, file: file, line: $0) }
  }

  private static let wording = [
    "mapping values are not allowed in this context":
      "a ':' is not allowed here; quote the text if the ':' belongs to it, or correct the indentation",
    "did not find expected key":
      "a key was expected here; check the indentation, and quotes that end too early",
    "did not find expected '-' indicator":
      "a '-' is missing before this entry of the list, or it is not indented like the others",
    "did not find expected ',' or '}'": "a ',' or '}' was expected here",
    "did not find expected ',' or ']'": "a ',' or ']' was expected here",
    "did not find expected node content": "a value was expected here",
    "did not find expected <document start>": "this comes after the end of the manifest",
    "did not find expected <stream-start>": "this is not YAML",
    "block sequence entries are not allowed in this context":
      "a list can't begin on the line of its key; put the '-' on a line of its own",
    "mapping keys are not allowed in this context": "a key is not allowed here",
    "found incompatible YAML document": "this is YAML 1.2; '%YAML' names another version",
    "found duplicate %YAML directive": "'%YAML' appears twice",
    "found unknown directive name": "the only directive is '%YAML 1.2'",
  ]
}

/// Findings that explain a later error of libyaml better than its message.
struct SyntaxHints {
  /// The last map in flow style that looks like `{$.a}`.
  var template: Located<String>?

  /// The start of the innermost list or map in flow style that is open when parsing fails.
  var opening: SourcePosition?

  /// The last comment that cuts a text off.
  var comment: CutText?

  /// Whether a byte begins a list or map in flow style.
  static func isOpening(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }
}
