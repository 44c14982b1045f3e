package import Support

/// How the roles and characters of a grid look on a terminal.
package struct Palette: Hashable, Sendable {
  /// Whether the terminal's colors are used; otherwise bold, underline and reverse.
  package let hasColor: Bool
  /// Whether characters beyond ASCII can be shown.
  package let hasUnicode: Bool
  /// How many colors the terminal can show.
  package let depth: TerminalColor.Depth

  package init(
    hasColor: Bool, hasUnicode: Bool = true, depth: TerminalColor.Depth = .sixteen
  ) {
    self.hasColor = hasColor
    self.hasUnicode = hasUnicode
    self.depth = depth
  }

  /// The SGR parameters of a role; empty for plain text.
  func code(_ role: Role, _ theme: Theme = Theme()) -> String {
    if hasColor {
      guard let color = theme.colors[role] else { return role.code }
      let weight =
        switch role {
        case .strong, .accent: "1;"
        // The color is what is focused: the text has that of the background.
        case .focus: "7;"
        case .selection: "4;"
        default: ""
        }
      return weight + color.code(depth)
    }
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
