internal import Support

/// Turns an error of libyaml into a problem whose message names the remedy.
struct SyntaxProblem {
  let failure: YAMLFailure
  let source: SourceFile
  let file: Int
  // What was found before the error and may explain it better:
  /// The last map in flow style that looks like `{$.a}`.
  let template: Located<String>?
  /// The start of the innermost list or map in flow style that is open when parsing fails.
  let opening: SourcePosition?
  /// The last comment that cuts a text off.
  let comment: CutText?

  var problem: Diagnostic {
    if failure.isReading {
      return Diagnostic(
        .badEncoding, at: range(source.position(ofByte: failure.offset)),
        "this is not text in UTF-8; save the file as UTF-8")
    }
    if let mergeMark { return mergeMark }
    let byte = source.byte(at: failure.mark)
    if let template, template.range.start.line == failure.mark.line {
      return unquotedTemplate(template.value, at: template.range)
    }
    if source.bytes[byte...].starts(with: "{$".utf8) {
      return unquotedTemplate(source.word(at: byte), at: range(failure.mark))
    }
    if let space = Self.otherIndentation(upTo: failure.mark.line, in: source, file: file) {
      return space
    }
    let tokens = TokenScanner.tokens(before: byte, in: source.bytes)
    if !failure.problem.contains("escape"), !failure.problem.contains("hexdecimal"),
      let start = unclosedQuote(tokens, byte: byte)
    {
      return syntax(Self.endlessQuote, source.position(ofByte: start))
    }
    if let comment, comment.comment.range.start.line <= failure.mark.line {
      return comment.problem(isWhole: false)
    }
    if opening != nil, isColonOnNextLine(byte) {
      return syntax("the ':' belongs on the line of its key, not on the next one", failure.mark)
    }
    // A comment that hides the end of a line, where that may close what is open.
    let hiding = opening.map(source.byte).flatMap { start in
      tokens.first { token in
        token.isComment && token.range.lowerBound >= start
          && source.bytes[token.range].contains { "}]".utf8.contains($0) }
      }
    }
    if let hiding {
      let text = String(decoding: source.bytes[hiding.range], as: UTF8.self)
      return Diagnostic(
        .commentInText, at: range(source.position(ofByte: hiding.range.lowerBound)),
        CutText.message(text, isQuoted: false))
    }
    if let opening, isLeftOpen(opening, byte: byte) {
      let character = source.character(at: source.byte(at: opening))
      return syntax("the '\(character)' here is never closed", opening)
    }
    return recognised(byte: byte)
  }

  func syntax(
    _ message: String, _ start: SourcePosition, _ end: SourcePosition? = nil,
    correction: Correction? = nil, related: Diagnostic.Related? = nil
  ) -> Diagnostic {
    Diagnostic(
      .syntax, at: range(start, end), message, correction: correction, related: related)
  }

  /// The problem of a template without quotes; `whole` is the text around it if its ends are known.
  static func unquotedTemplate(
    _ text: String, in whole: String?, at range: SourceRange,
    correcting corrected: SourceRange? = nil
  ) -> Diagnostic {
    Diagnostic(
      .unquotedTemplate, at: range,
      "\(quote(text)) without quotes is a map to YAML; put the text in quotes",
      correction: whole.map { .init($0, $0) }, correcting: corrected)
  }

  static func customTag(_ tag: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      .customTag, at: range,
      "the tag \(quote(tag)) is not supported; remove it, or quote the text if the '!' belongs to it"
    )
  }

  private func unquotedTemplate(_ text: String, at range: SourceRange) -> Diagnostic {
    let value = value(around: source.byte(at: range.start), isFlow: opening != nil)
    return Self.unquotedTemplate(text, in: value?.value, at: range, correcting: value?.range)
  }

  private func unquotedIndicator(at place: SourcePosition) -> Diagnostic {
    let byte = source.byte(at: place)
    let value = value(around: byte, isFlow: opening != nil)
    return Diagnostic(
      .unquotedIndicator, at: range(place),
      "\(quote(source.word(at: byte))) means something else to YAML at the start of a value; "
        + "put it in quotes",
      correction: value.map { .init($0.value, $0.value) }, correcting: value?.range)
  }

  /// Whether the list or map at `opening` is never closed: it runs into the end of the file, or
  /// into a line of the enclosing value.
  private func isLeftOpen(_ opening: SourcePosition, byte: Int) -> Bool {
    // The cause is a quoted text that does not end.
    if failure.problem.contains("unexpected end") { return false }
    if source.isBlank(from: byte) { return true }
    guard failure.problem.hasPrefix("did not find expected ','"),
      failure.mark.line > opening.line, source.character(at: byte) == ":"
    else { return false }
    return indentation(ofLine: failure.mark.line) <= indentation(ofLine: opening.line)
  }

  /// Whether parsing failed at a `:` that is the first character of its line.
  private func isColonOnNextLine(_ byte: Int) -> Bool {
    failure.problem.hasPrefix("did not find expected ','") && source.character(at: byte) == ":"
      && indentation(ofLine: failure.mark.line) == failure.mark.column - 1
  }

  /// The start of the last quoted text before the error, if it continues into the error's line.
  ///
  /// A text without its second quotation mark ends at the next one, some lines below: there libyaml
  /// finds an error.
  private func unclosedQuote(_ tokens: [TokenScanner.Token], byte: Int) -> Int? {
    let before = source.bytes.prefix(byte)
    let line = before.lastIndex(where: TokenScanner.isBreak).map { $0 + 1 } ?? 0
    guard let quoted = tokens.last(where: { !$0.isComment })?.range, quoted.upperBound > line,
      source.bytes[quoted].contains(where: TokenScanner.isBreak)
    else { return nil }
    return quoted.lowerBound
  }

  /// The problem of a text in flow style in which a character means something else, or before which
  /// a comma is missing.
  private func missingCommaOrQuotes(_ byte: Int) -> Diagnostic? {
    guard byte > 0, byte < source.bytes.count, case let character = source.character(at: byte),
      [":", "{", "["].contains(character), let value = value(around: byte, isFlow: true)
    else { return nil }
    let (text, start) = (value.value, value.range.start)
    let before = text.prefix { $0 != character }
    let words = before.split(separator: " ")
    if character == ":", words.count > 1, let last = words.last,
      Keyword(rawValue: String(last)) != nil
    {
      let column = start.column + before.unicodeScalars.count - last.unicodeScalars.count
      return syntax(
        "a ',' is missing before '\(last)'", SourcePosition(line: start.line, column: column))
    }
    guard !before.isEmpty else { return nil }
    if let name = TemplateParser.nameInBraces(text) {
      return Diagnostic(
        .badReference, at: range(start),
        "\(quote(text)) is not a reference; did you mean \(quote(name))?",
        correction: .init(text, name, isCertain: name.hasPrefix("$vars.")),
        correcting: value.range)
    }
    return Diagnostic(
      .unquotedIndicator, at: range(failure.mark),
      "'\(character)' means something else to YAML inside braces; put \(quote(text)) in quotes",
      correction: .init(text, text), correcting: value.range)
  }

  func range(_ start: SourcePosition, _ end: SourcePosition? = nil) -> SourceRange {
    SourceRange(file: file, start: start, end: end ?? start)
  }

  private var tabIndentation: Diagnostic {
    Diagnostic(
      .tabIndentation, at: range(failure.mark), "a tab can't indent in YAML; use spaces")
  }

  /// The problem of a backslash at or just before a byte.
  private func unknownEscape(near byte: Int) -> Diagnostic {
    let escape = source.escape(near: byte)
    guard escape.text == "\\$" else {
      return Diagnostic(
        .unknownEscape, at: range(escape.position),
        "\(quote(escape.text)) is not an escape in double quotes; "
          + "double the backslash or use single quotes")
    }
    let before = source.byte(at: escape.position) - 1
    let isSpecial =
      before == source.byte(at: failure.contextMark) || source.character(at: before) == "{"
    let end = SourcePosition(line: escape.position.line, column: escape.position.column + 2)
    return Diagnostic(
      .escapedDollar, at: range(escape.position, end),
      "'\\$' is not an escape; a literal '$' at the start is written '$$'",
      correction: .init("\\$", isSpecial ? "$$" : "$", isSource: true))
  }

  private func recognised(byte: Int) -> Diagnostic {
    switch failure.problem {
    case "found character that cannot start any token":
      return source.character(at: byte) == "\t"
        ? tabIndentation : unquotedIndicator(at: failure.mark)
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      return tabIndentation
    case "did not find expected comment or line break",
      "did not find expected alphabetic or numeric character":
      return unquotedIndicator(at: failure.contextMark)
    // The mark is after the letter of the escape.
    case "did not find expected hexdecimal number": return unknownEscape(near: max(0, byte - 2))
    case "found unknown escape character": return unknownEscape(near: byte)
    case "found undefined tag handle":
      let word = source.word(at: source.byte(at: failure.contextMark))
      return Self.customTag(word, at: range(failure.contextMark))
    case "found unexpected end of stream", "found unexpected document indicator":
      return syntax(Self.endlessQuote, failure.contextMark)
    case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
      if let problem = missingCommaOrQuotes(byte) { return problem }
    default: break
    }
    if let character = source.closing(at: byte), opening == nil {
      return syntax("this '\(character)' closes nothing", failure.mark)
    }
    if let problem = dashProblem { return problem }
    if let brokenLine { return brokenLine }
    guard let text = Self.wording[failure.problem] else {
      return syntax(
        failure.context.isEmpty ? failure.problem : "\(failure.problem) \(failure.context)",
        failure.mark)
    }
    let hasBeginning = failure.contextMark < failure.mark && failure.context.contains("while")
    return syntax(
      text, failure.mark,
      related: hasBeginning ? .init(.beginning, at: range(failure.contextMark)) : nil)
  }

  private static let endlessQuote = "the quoted text that begins here does not end"
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
