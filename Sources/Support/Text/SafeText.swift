/// Makes text from features, data and people safe to print: it can't move the cursor, change
/// colours, or turn the order of what follows it.
public enum SafeText {
  /// `text` for one line: line ends and tabs too are made visible or become spaces.
  public static func line(_ text: String) -> String {
    clean(text, tab: " ", newline: "␊")
  }

  /// `text` with its line ends kept as `\n`, and every other hazard made visible.
  public static func paragraph(_ text: String) -> String {
    clean(text, tab: " ", newline: "\n")
  }

  /// The lines of `text`, tabs widened to columns of 8, every other hazard made visible.
  public static func preformatted(_ text: String) -> [String] {
    lines(clean(text, tab: "\t", newline: "\n")).map(expandTabs)
  }

  /// Whether a scalar would do something to a terminal other than show a character.
  package static func isHazard(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0: true
    // Line and paragraph separator; embeddings, overrides and isolates of direction.
    case 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// `text` at its `\n`s.
  package static func lines(_ text: String) -> [String] {
    text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map { String($0) ?? "" }
  }

  private static func clean(_ text: String, tab: String, newline: String) -> String {
    // Nearly every text is clean, and stays the string that it was.
    guard text.unicodeScalars.contains(where: isHazard) else { return text }
    var result = ""
    var afterReturn = false
    for scalar in text.unicodeScalars {
      defer { afterReturn = scalar == "\r" }
      switch scalar {
      case "\n" where afterReturn: continue
      case "\n", "\r": result += newline
      case "\t": result += tab
      case _ where !isHazard(scalar): result.unicodeScalars.append(scalar)
      default: result += visible(scalar)
      }
    }
    return result
  }

  /// The picture of a control character, or its number.
  private static func visible(_ scalar: Unicode.Scalar) -> String {
    if scalar.value == 0x7f { return "␡" }
    if scalar.value < 0x20, let picture = Unicode.Scalar(0x2400 + scalar.value) {
      return String(Character(picture))
    }
    return "<U+" + String(scalar.value, radix: 16, uppercase: true) + ">"
  }

  private static func expandTabs(_ line: String) -> String {
    guard line.utf8.contains(0x09) else { return line }
    var result = ""
    var column = 0
    for character in line {
      guard character == "\t" else {
        result.append(character)
        column += DisplayWidth.of(character)
        continue
      }
      let spaces = 8 - column % 8
      result += String(repeating: " ", count: spaces)
      column += spaces
    }
    return result
  }
}
