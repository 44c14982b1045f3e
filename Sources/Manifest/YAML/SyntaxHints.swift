internal import Diagnostics

/// What was last seen that explains a later error of libyaml better than libyaml can.
struct SyntaxHints {
  /// The last map in braces that looks like `{$.a}`.
  var template: Located<String>?

  /// Where the innermost list or map in brackets begins that is open when reading fails.
  var opening: SourcePosition?

  /// The last comment that cuts a plain text and holds a template.
  private(set) var comment: Located<String>?

  /// Whether a byte begins a list or map in brackets.
  static func isOpening(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  /// The comment with a template in it that directly follows the end of a plain scalar.
  mutating func comment(
    cutting end: SourcePosition, at offset: Int, in input: UnsafeBufferPointer<UInt8>, file: Int
  ) -> Located<String>? {
    guard offset < input.count, input[offset] == 0x20 || input[offset] == 0x09 else { return nil }
    var hash = offset
    while hash < input.count, input[hash] == 0x20 || input[hash] == 0x09 { hash += 1 }
    guard hash > offset, hash < input.count, input[hash] == UInt8(ascii: "#") else { return nil }
    var last = hash
    var hasTemplate = false
    while last < input.count, input[last] != 0x0A, input[last] != 0x0D {
      if input[last] == UInt8(ascii: "$"), input[last - 1] == UInt8(ascii: "{") {
        hasTemplate = true
      }
      last += 1
    }
    guard hasTemplate else { return nil }
    let position = SourcePosition(line: end.line, column: end.column + hash - offset)
    let text = String(decoding: UnsafeBufferPointer(rebasing: input[hash..<last]), as: UTF8.self)
    comment = Located(text, at: SourceRange(file: file, start: position, end: position))
    return comment
  }
}
