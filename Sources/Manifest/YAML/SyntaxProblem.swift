internal import Diagnostics

/// Makes a problem of what libyaml could not read, in words that name the remedy.
struct SyntaxProblem {
  let failure: YAMLFailure
  let source: SourceFile
  let file: Int

  /// The problem; what was seen before may explain it better.
  func problem(hints: SyntaxHints) -> Problem {
    if failure.isReading { return readingProblem }
    let byte = source.byte(at: failure.mark)
    if let template = hints.template, template.range.start.line == failure.mark.line {
      return Problem(.unquotedTemplate(template.value), at: template.range)
    }
    if source.bytes[byte...].starts(with: "{$".utf8) {
      return Problem(.unquotedTemplate(source.word(at: byte)), at: range(failure.mark))
    }
    if let comment = hints.comment, comment.range.start.line <= failure.mark.line {
      return Problem(.commentInText(comment.value), at: comment.range)
    }
    if let opening = hints.opening, isLeftOpen(opening, byte: byte) {
      return neverClosed(opening)
    }
    return recognised(byte: byte)
  }

  /// Whether what begins at `opening` goes on into the end, or into a line of what it stands in.
  private func isLeftOpen(_ opening: SourcePosition, byte: Int) -> Bool {
    // A text that does not end is the cause then.
    if failure.problem.contains("unexpected end") { return false }
    if source.isBlank(from: byte) { return true }
    guard failure.problem.hasPrefix("did not find expected ','"),
      failure.mark.line > opening.line, byte < source.bytes.count,
      source.bytes[byte] == UInt8(ascii: ":")
    else { return false }
    return source.indentation(ofLine: failure.mark.line)
      <= source.indentation(ofLine: opening.line)
  }

  private func neverClosed(_ opening: SourcePosition) -> Problem {
    let character = source.character(at: source.byte(at: opening))
    return Problem(
      .syntax("the '\(character)' that stands here is never closed"), at: range(opening))
  }

  private func range(_ position: SourcePosition) -> SourceRange {
    SourceRange(file: file, start: position, end: position)
  }

  private var readingProblem: Problem {
    let position = source.position(ofByte: failure.offset)
    // libyaml gives the offset behind the scalar that it refuses, or of the byte itself.
    if failure.problem.contains("control characters") {
      return Problem(
        .controlCharacter(UInt32(truncatingIfNeeded: failure.value)), at: range(position))
    }
    return Problem(.badEncoding, at: range(position))
  }

  private func recognised(byte: Int) -> Problem {
    let character = byte < source.bytes.count ? source.bytes[byte] : 0
    let start = source.byte(at: failure.contextMark)
    let related = Problem.Related(.beginning, at: range(failure.contextMark))
    switch failure.problem {
    case "found character that cannot start any token":
      if character == 0x09 { return Problem(.tabIndentation, at: range(failure.mark)) }
      return Problem(.unquotedIndicator(source.word(at: byte)), at: range(failure.mark))
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      return Problem(.tabIndentation, at: range(failure.mark))
    case "did not find expected comment or line break",
      "did not find expected alphabetic or numeric character":
      return Problem(.unquotedIndicator(source.word(at: start)), at: range(failure.contextMark))
    case "did not find expected hexdecimal number":
      // The mark stands behind the letter.
      let escape = source.escape(near: max(0, byte - 2))
      return Problem(.unknownEscape(escape.text), at: range(escape.position))
    case "found unknown escape character":
      let escape = source.escape(near: byte)
      if escape.text == "\\$" { return Problem(.escapedDollar, at: range(escape.position)) }
      return Problem(.unknownEscape(escape.text), at: range(escape.position))
    case "found undefined tag handle":
      return Problem(.customTag(source.word(at: start)), at: range(failure.contextMark))
    case "found unexpected end of stream", "found unexpected document indicator":
      return Problem(
        .syntax("the quoted text that begins here does not end"), at: range(failure.contextMark))
    default: break
    }
    guard let text = Self.wording[failure.problem] else {
      let text = failure.context.isEmpty ? failure.problem : "\(failure.problem) \(failure.context)"
      return Problem(.syntax(text), at: range(failure.mark))
    }
    let hasBeginning = failure.contextMark < failure.mark && failure.context.contains("while")
    return Problem(.syntax(text), at: range(failure.mark), related: hasBeginning ? related : nil)
  }

  private static let wording = [
    "mapping values are not allowed in this context":
      "a ':' can't stand here; quote the text if the ':' belongs to it",
    "could not find expected ':'": "a ':' is missing behind this key",
    "did not find expected key":
      "a key was expected here; check the indentation, and quotes that end too early",
    "did not find expected '-' indicator":
      "a '-' was expected here; check the indentation",
    "did not find expected ',' or '}'": "a ',' or '}' was expected here",
    "did not find expected ',' or ']'": "a ',' or ']' was expected here",
    "did not find expected node content": "a value was expected here",
    "did not find expected <document start>": "this stands behind the end of the manifest",
    "did not find expected <stream-start>": "this is no YAML",
    "block sequence entries are not allowed in this context":
      "a list can't begin on the line of its key; put the '-' on a line of its own",
    "mapping keys are not allowed in this context": "a key can't stand here",
    "found incompatible YAML document": "this is YAML 1.2; '%YAML' names another version",
    "found duplicate %YAML directive": "'%YAML' stands here twice",
    "found unknown directive name": "the only directive is '%YAML 1.2'",
  ]
}
