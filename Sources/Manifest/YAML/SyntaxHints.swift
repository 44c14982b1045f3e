internal import Diagnostics

/// The last finding that explains a later libyaml error better than libyaml can.
struct SyntaxHints {
  /// The last map in braces that looks like `{$.a}`.
  var template: Located<String>?

  /// Where the innermost list or map in brackets begins that is open when reading fails.
  var opening: SourcePosition?

  /// The last comment that cuts a text.
  var comment: CutText?

  /// Whether a byte begins a list or map in brackets.
  static func isOpening(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }
}
