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
  init?(_ scalar: Range<Int>, isQuoted: Bool, in source: SourceFile, file: Int) {
    let bytes = source.bytes
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let hash = bytes[scalar.upperBound...].firstIndex(where: { !isBlank($0) }),
      bytes[hash] == UInt8(ascii: "#"), hash > scalar.upperBound || isQuoted
    else { return nil }
    let text = bytes[hash...].prefix { $0 != 0x0A && $0 != 0x0D }
    let hasTemplate = zip(text, text.dropFirst()).contains {
      $0 == UInt8(ascii: "{") && $1 == UInt8(ascii: "$")
    }
    guard hasTemplate || isQuoted && hash == scalar.upperBound else { return nil }
    func located(_ part: Range<Int>) -> Located<String> {
      Located(
        String(decoding: bytes[part], as: UTF8.self),
        at: SourceRange(
          file: file, start: source.position(ofByte: part.lowerBound),
          end: source.position(ofByte: part.upperBound)))
    }
    comment = located(hash..<text.endIndex)
    let end = text.lastIndex { !isBlank($0) } ?? hash
    whole = located(scalar.lowerBound..<end + 1)
    self.isQuoted = isQuoted
  }

  /// The problem; `isWhole` if the text ends with its line, which is not so in flow style.
  func problem(isWhole: Bool) -> Diagnostic {
    Diagnostic(
      .commentInText, at: comment.range, Self.message(comment.value, isQuoted: isQuoted),
      correction: isWhole && !isQuoted ? .init(whole.value, whole.value) : nil,
      correcting: whole.range)
  }

  static func message(_ comment: String, isQuoted: Bool) -> String {
    "the text ends before \(quote(comment)), which is a comment to YAML; "
      + (isQuoted ? "put it inside the quotes" : "put the text in quotes")
  }
}
