internal import Diagnostics

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
    if let cut = hints.comment, cut.comment.range.start.line <= failure.mark.line {
      return cut.problem(isWhole: false)
    }
    if hints.opening != nil, isColonOnNextLine(byte) {
      return Diagnostic(.colonOnNextLine, at: range(failure.mark))
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
    let position = source.position(ofByte: failure.offset)
    if failure.problem.contains("control characters") {
      return Diagnostic(
        .controlCharacter(UInt32(truncatingIfNeeded: failure.value)), at: range(position))
    }
    return Diagnostic(.badEncoding, at: range(position))
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
      return Diagnostic(
        .syntax("the quoted text that begins here does not end"), at: range(failure.contextMark))
    default: break
    }
    if let character = source.closing(at: byte), hints.opening == nil {
      return Diagnostic(.strayClosing(character), at: range(failure.mark))
    }
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
      "a ':' is not allowed here; quote the text if the ':' belongs to it",
    "did not find expected key":
      "a key was expected here; check the indentation, and quotes that end too early",
    "did not find expected '-' indicator":
      "a '-' was expected here; check the indentation",
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
