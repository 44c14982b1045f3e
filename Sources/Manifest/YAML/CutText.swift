internal import Support

/// A text that a comment cuts off, most likely by mistake.
struct CutText: Sendable {
  /// The comment, to the end of its line.
  let comment: Located<String>
  /// The text including the part that is cut off.
  let whole: Located<String>
  /// Whether the text before the comment has quotes.
  let isQuoted: Bool

  /// Looks for a comment after a scalar on one line; `nil` if there is none, or an intended one.
  ///
  /// A comment is a mistake if it contains a template or directly follows a quotation mark.
  init?(
    _ scalar: Range<Int>, at range: SourceRange, isQuoted: Bool,
    in input: UnsafeBufferPointer<UInt8>
  ) {
    var hash = scalar.upperBound
    while hash < input.count, input[hash] == 0x20 || input[hash] == 0x09 { hash += 1 }
    let gap = hash - scalar.upperBound
    guard gap > 0 || isQuoted, hash < input.count, input[hash] == UInt8(ascii: "#") else {
      return nil
    }
    var end = hash
    var hasTemplate = false
    while end < input.count, input[end] != 0x0A, input[end] != 0x0D {
      if input[end] == UInt8(ascii: "$"), input[end - 1] == UInt8(ascii: "{") {
        hasTemplate = true
      }
      end += 1
    }
    guard hasTemplate || isQuoted && gap == 0 else { return nil }
    func located(_ bytes: Range<Int>, from start: SourcePosition) -> Located<String> {
      let text = String(decoding: UnsafeBufferPointer(rebasing: input[bytes]), as: UTF8.self)
      let column = start.column + text.unicodeScalars.count
      return Located(
        text,
        at: SourceRange(
          file: range.file, start: start, end: SourcePosition(line: start.line, column: column)))
    }
    let start = SourcePosition(line: range.end.line, column: range.end.column + gap)
    comment = located(hash..<end, from: start)
    while end > hash, input[end - 1] == 0x20 || input[end - 1] == 0x09 { end -= 1 }
    whole = located(scalar.lowerBound..<end, from: range.start)
    self.isQuoted = isQuoted
  }

  /// The problem; `isWhole` if the text ends with its line, which is not so in flow style.
  func problem(isWhole: Bool) -> Diagnostic {
    Diagnostic(
      .commentInText(
        comment.value, isQuoted: isQuoted, in: isWhole && !isQuoted ? whole.value : nil),
      at: comment.range, correcting: whole.range)
  }
}
