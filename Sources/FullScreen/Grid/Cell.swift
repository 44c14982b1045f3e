package import Support

/// One cell of the terminal: a character, and what it means.
package struct Cell: Hashable, Sendable {
  /// The grapheme; empty in the second column of a wide one.
  package let text: String
  package let role: Role

  init(_ text: String, _ role: Role) {
    self.text = text
    self.role = role
  }

  static let blank = Cell(" ", .plain)
  /// The second column of a wide grapheme.
  static func continuation(_ role: Role) -> Cell { Cell("", role) }

  var isBlank: Bool { text == " " && role == .plain }

  /// The texts of the characters of ASCII, which are most of a screen.
  static let ascii: [String] = (0..<128).map { String(UnicodeScalar(UInt8($0))) }
}
