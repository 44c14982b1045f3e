internal import Support

/// How the roles and characters of a grid look on a terminal.
package struct Palette: Hashable, Sendable {
  /// Whether the terminal's 16 colors are used; otherwise bold, underline and reverse.
  package let hasColor: Bool
  /// Whether characters beyond ASCII can be shown.
  package let hasUnicode: Bool

  package init(hasColor: Bool, hasUnicode: Bool = true) {
    self.hasColor = hasColor
    self.hasUnicode = hasUnicode
  }

  /// The SGR parameters of a role; empty for plain text.
  func code(_ role: Role) -> String {
    if hasColor { return role.code }
    return switch role {
    case .success: ""
    case .warning: "1"
    case .error: "1;4"
    default: role.code
    }
  }

  /// The characters for a cell, with as many columns as the cell's.
  func text(_ cell: Cell, isWide: Bool) -> String {
    if hasUnicode || cell.text.utf8.count == 1 { return cell.text }
    return (Self.substitutes[cell.text] ?? "?") + (isWide ? "?" : "")
  }

  /// ASCII for the characters with which screens are drawn.
  private static let substitutes: [String: String] = {
    let pairs: [(String, String)] = [
      ("─▔", "-"), ("│█▉▊▋▌", "|"), ("┌┐└┘├┤┬┴┼▪●•◆", "*"), ("○◇", "o"), ("›▶", ">"), ("‹◀", "<"),
      ("…·", "."), ("✓", "+"), ("✗×", "x"), ("▲↑", "^"), ("▼↓", "v"), ("←", "<"), ("→", ">"),
      ("⏎", "="), ("░", "."), ("▁▂", "_"), ("▃▄", "-"), ("▅▆", "="), ("▇", "#"), ("▍▎▏", ":"),
      ("–—", "-"), ("‘’", "'"), ("“”", "\""),
    ]
    return Dictionary(
      pairs.flatMap { characters, ascii in characters.map { (String($0), ascii) } },
      uniquingKeysWith: { first, _ in first })
  }()
}
