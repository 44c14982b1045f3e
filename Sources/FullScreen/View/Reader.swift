internal import LineEditor
internal import Support

/// Lines that a person reads, such as the output of a command.
struct Reader {
  let title: String
  private let text: [String]
  /// The lines as they are shown: those that are too wide are broken.
  private(set) var lines: [StyledLine] = []
  /// The index in ``lines`` of the first part of each line of the text.
  private var starts: [Int] = []
  var top = 0

  init(title: String, _ text: [String], columns: Int) {
    (self.title, self.text) = (title, text)
    fit(columns: columns)
  }

  /// Breaks the lines for a width; the line at the top stays there.
  mutating func fit(columns: Int) {
    let first = starts.lastIndex { $0 <= top } ?? 0
    (lines, starts) = ([], [])
    for line in text {
      starts.append(lines.count)
      lines += TerminalRows.of([line], columns: columns).map(StyledLine.init(styled:))
    }
    top = starts.isEmpty ? 0 : starts[first]
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
