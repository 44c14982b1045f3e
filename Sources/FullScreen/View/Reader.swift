internal import LineEditor
internal import Support

/// Lines that a person reads, such as the output of a command.
struct Reader {
  let title: String
  let lines: [StyledLine]
  var top = 0

  init(title: String, _ lines: [String]) {
    self.title = title
    self.lines = lines.map(StyledLine.init(styled:))
  }

  /// Handles a key; returns `false` if it ends the reading.
  mutating func press(_ key: KeyPress, rows: Int) -> Bool {
    switch key.code {
    case .escape, .enter, .scalar("q"): return false
    case .scalar("c") where key.modifiers == .control: return false
    case .up: top -= 1
    case .down: top += 1
    case .pageUp: top -= rows
    case .pageDown, .scalar(" "): top += rows
    case .home: top = 0
    case .end: top = lines.count
    case .pointer(let pointer): top += pointer.scrolledLines ?? 0
    default: break
    }
    top = min(max(top, 0), max(lines.count - rows, 0))
    return true
  }
}

extension StyledLine {
  /// A line with the escape sequences that ``StyledLine/text(_:)`` and the line editor write.
  init(styled text: String) {
    self.init()
    let roles = [Role.strong, .dim, .success, .warning, .error, .focus, .selection]
    for (index, part) in text.split(separator: "\u{1b}", omittingEmptySubsequences: false)
      .enumerated()
    {
      guard index > 0, let end = part.firstIndex(of: "m") else {
        append(SafeText.line(String(part)))
        continue
      }
      let code = part[..<end].dropFirst()
      append(
        SafeText.line(String(part[end...].dropFirst())), roles.first { $0.code == code } ?? .plain)
    }
  }
}
