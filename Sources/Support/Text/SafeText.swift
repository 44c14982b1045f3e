@_spi(Host) internal import AppCore

/// Makes text from features, data and people safe to print: it can't move the cursor, change
/// colors, or reverse the text after it.
public enum SafeText {
  /// `text` for one line: line breaks and every other hazard are made visible, and tabs become
  /// spaces.
  public static func line(_ text: String) -> String {
    clean(text, tab: " ", newline: "␊")
  }

  /// A character of a text, in the same way; a joiner at its end stays where it may join the next one.
  public static func character(_ character: Character) -> String {
    let scalars = character.unicodeScalars
    guard let last = scalars.last, isJoiner(last), mayBeJoined(scalars.dropLast().last) else {
      return line(String(character))
    }
    return line(String(String.UnicodeScalarView(scalars.dropLast()))) + String(Character(last))
  }

  /// `text` with its line breaks as `\n`, tabs as spaces, and every other hazard made visible.
  public static func paragraph(_ text: String) -> String {
    clean(text, tab: " ", newline: "\n")
  }

  /// The lines of `text`, with tabs expanded to columns of 8, and every other hazard made visible.
  public static func preformatted(_ text: String) -> [String] {
    lines(clean(text, tab: "\t", newline: "\n")).map(expandTabs)
  }

  /// `text` with its line breaks and tabs kept, and every other hazard made visible.
  public static func text(_ text: String) -> String { clean(text, tab: "\t", newline: "\n") }

  /// The same for text with colored parts: allowed SGR sequences are kept, and no other sequences.
  public static func styled(_ text: String) -> String {
    guard needsCleaning(text, keepsTab: true, keepsNewline: true) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.unicodeScalars.firstIndex(of: "\u{1b}") {
      result += Self.text(String(rest[..<start]))
      let sequence = colour(rest[start...])
      result += sequence.isEmpty ? visible("\u{1b}") : String(sequence)
      rest =
        sequence.isEmpty
        ? rest[rest.unicodeScalars.index(after: start)...] : rest[sequence.endIndex...]
    }
    return result + Self.text(String(rest))
  }

  /// The allowed SGR parameters: weights, italics, underlining and colors, and nothing that hides
  /// text.
  private static let styles: Set<Int> = [
    0, 1, 2, 3, 4, 22, 23, 24, 30, 31, 32, 33, 34, 35, 36, 37, 39, 90, 91, 92, 93, 94, 95, 96, 97,
  ]

  /// The SGR sequence that `text` begins with; empty if it begins with none that is allowed.
  private static func colour(_ text: Substring) -> Substring {
    let bytes = text.utf8
    var end = bytes.index(after: bytes.startIndex)
    guard end < bytes.endIndex, bytes[end] == UInt8(ascii: "[") else { return "" }
    repeat {
      end = bytes.index(after: end)
    } while end < bytes.endIndex
      && (bytes[end] == UInt8(ascii: ";") || (0x30...0x39).contains(bytes[end]))
    guard end < bytes.endIndex, bytes[end] == UInt8(ascii: "m") else { return "" }
    let parameters = text[bytes.index(bytes.startIndex, offsetBy: 2)..<end].split(separator: ";")
    guard parameters.allSatisfy({ Int($0).map(styles.contains) == true }) else { return "" }
    return text[..<bytes.index(after: end)]
  }

  /// JSON with every hazard in its strings escaped; it decodes to the same value.
  public static func json(_ text: String) -> String {
    guard needsCleaning(text) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      guard isHazard(scalar) || isJoiner(scalar), scalar != "\n" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(Character(scalar)).utf16 {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result
  }

  /// The most combining marks that a character may have: more would cover the lines around it.
  private static let markLimit = 8

  /// Whether a scalar would do something to a terminal other than show a character.
  package static func isHazard(_ scalar: Unicode.Scalar) -> Bool { TextHazard.isHazard(scalar) }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200c || scalar.value == 0x200d
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // What most text consists of has no marks, and asking for the category takes long: Latin, Greek and
    // Cyrillic; symbols, arrows, lines and blocks; Chinese characters, Hangul, and emoji.
    case 0..<0x300, 0x370..<0x483, 0x2100..<0x2cef, 0x3400..<0xa66f, 0xac00..<0xd7a4,
      0x1f000..<0x1fb00:
      return false
    default:
      let category = scalar.properties.generalCategory
      return category == .nonspacingMark || category == .enclosingMark
    }
  }

  /// Whether a text contains anything that ``line(_:)`` and its siblings may have to change.
  package static func needsCleaning(
    _ text: String, keepsTab: Bool = false, keepsNewline: Bool = false
  ) -> Bool {
    // Nearly every text is plain.
    guard !text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { return false }
    var marks = 0
    for scalar in text.unicodeScalars {
      if isHazard(scalar) || isJoiner(scalar) {
        guard scalar == "\n" && keepsNewline || scalar == "\t" && keepsTab else { return true }
      }
      marks = isMark(scalar) ? marks + 1 : 0
      if marks > markLimit { return true }
    }
    return false
  }

  /// The lines of `text`, split at `\n`.
  package static func lines(_ text: String) -> [String] {
    text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map { String($0) ?? "" }
  }

  private static func clean(_ text: String, tab: String, newline: String) -> String {
    // The string itself is returned, without a copy.
    guard needsCleaning(text, keepsTab: tab == "\t", keepsNewline: newline == "\n") else {
      return text
    }
    var result = ""
    var last: Unicode.Scalar?
    var marks = 0
    func endMarks() {
      if marks > markLimit { result += "<\(marks - markLimit) marks>" }
      marks = 0
    }
    var scalars = text.unicodeScalars.makeIterator()
    var next = scalars.next()
    while let scalar = next {
      next = scalars.next()
      defer { last = scalar }
      if isMark(scalar) {
        marks += 1
        if marks <= markLimit { result.unicodeScalars.append(scalar) }
        continue
      }
      endMarks()
      switch scalar {
      case "\n" where last == "\r": continue
      case "\n", "\r": result += newline
      case "\t": result += tab
      case _ where isJoiner(scalar):
        // It has an effect there: in emoji, and in scripts that need it.
        if mayBeJoined(last), mayBeJoined(next) {
          result.unicodeScalars.append(scalar)
        } else {
          result += visible(scalar)
        }
      case _ where !isHazard(scalar): result.unicodeScalars.append(scalar)
      default: result += visible(scalar)
      }
    }
    endMarks()
    return result
  }

  private static func mayBeJoined(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { $0.value >= 0x300 && !isJoiner($0) && !isHazard($0) } ?? false
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
