@_spi(Host) internal import AppCore
internal import Shell
internal import Support

// What says which keys there are.
extension ScreenView {
  /// The keys that apply to what has the focus; as many as fit, the help always.
  var keyLine: StyledLine {
    let keys = focusedKeys + generalKeys
    let help = commands.contains(.help) ? ("F1", "help") : ("", "")
    func width(_ key: (String, String)) -> Int { DisplayWidth.of(key.0 + key.1) + 3 }
    var room = size.columns - 1 - width(help)
    var line = StyledLine()
    for key in keys {
      room -= width(key)
      guard room >= 0 else { break }
      line.append(key.0, .accent)
      line.append(" " + key.1 + "  ")
    }
    guard !help.0.isEmpty else { return line }
    line.append(help.0, .accent)
    line.append(" " + help.1)
    return line
  }

  private var focusedKeys: [(String, String)] {
    if let editor = place.editor { return editor.keys }
    if areTabsFocused { return [("←→", "tab")] }
    if let (list, _) = focusedList {
      let isControl = list.row(rowPosition).isControl
      let columns = commands.contains(.sort) ? list.sortTitles.count : 0
      return [("↑↓", "choose")] + (isControl ? [("⏎", "open")] : [])
        + (list.isSelectable ? [("Space", "select")] : [])
        + (commands.contains(.find) ? [("/", "find")] : [])
        + (columns > 0 ? [(columns == 1 ? "1" : "1-\(min(columns, 9))", "sort")] : [])
    }
    guard let (_, stop) = page.stop(place.focus), let (control, _) = page.control(stop) else {
      return page.height > pageRows ? [("↑↓", "scroll")] : []
    }
    return switch control.kind {
    case .button: [("⏎", "press")]
    case .toggle: [("Space", "switch")]
    case .choice: [("←→", "choose")]
    case .field: [("⏎", "edit")]
    }
  }

  private var generalKeys: [(String, String)] {
    guard place.editor == nil else { return [] }
    let moves = page.stops.count + (hasTabs ? 1 : 0) > 1
    return (cancelButton == nil ? [] : [("^C", "cancel")]) + (moves ? [("Tab", "next")] : [])
      + [("Esc", "back"), (":", "command")] + (commands.contains(.quit) ? [("^Q", "quit")] : [])
  }

  /// Shows the help, or has the shell say that it is not allowed.
  mutating func showHelp() -> Event {
    guard commands.contains(.help) else { return .line(":help") }
    show(output: help(), title: "Help")
    return .none
  }

  /// The keys, and the controls of the screen with their identifiers.
  func help() -> [String] {
    let keys = [
      ("Tab, Shift-Tab", "next and previous control"),
      ("↑ ↓", "previous and next row or control; scroll"),
      ("PgUp PgDn Home End", "by pages, to the ends"),
      ("Enter", "press, open, or begin to edit; send what was typed"),
      ("Space", "switch; select a row, or no longer"),
      ("↑ ↓ in a date", "the next day and the one before"),
      ("← →", "another option or tab; other columns of a wide table; what is beside it"),
      ("Esc", "end editing, and send only a text of several lines; else go back"),
      ("Ctrl-C", "end editing without sending; else cancel what makes progress"),
      ("/", "find in the list, as you type"),
      ("1 to 9", "sort the table by a column; again, in the other direction"),
      (":", "a line of the shell, such as :log; Tab completes it"),
      ("Ctrl-PgUp, Ctrl-PgDn", "previous and next tab; Alt-1 the first one"),
      ("Ctrl-L", "draw everything again"),
      ("Ctrl-Z", "stop, until the shell's 'fg'"),
      ("Ctrl-Q", "leave the app"),
    ]
    let controls = page.stops.compactMap { stop -> (String, String)? in
      if let (list, _) = page.list(stop) {
        return ("\(list.count) rows", list.id.map(SafeText.line) ?? "")
      }
      return page.control(stop).map {
        (SafeText.line($0.content.label), $0.content.id.map(Scanner.line(identifier:)) ?? "")
      }
    }
    return table(keys) + (controls.isEmpty ? [] : ["", "On this screen"] + table(controls))
  }

  private func table(_ rows: [(String, String)]) -> [String] {
    let width = rows.map { DisplayWidth.of($0.0) }.max() ?? 0
    let column = min(width, max(size.columns / 2, 8))
    let rest = max(size.columns - column - 4, 8)
    return rows.flatMap { name, text in
      StyledLine.columns(
        TextLayout.wrap(name, to: column), .strong, width: column,
        TextLayout.wrap(text, to: rest)
      ).map { $0.text(.terminal) }
    }
  }
}

extension FieldEditor {
  /// The keys that apply while something is typed.
  fileprivate var keys: [(String, String)] {
    if isMultiline { return [("⏎", "new line"), ("Tab", "send"), ("Esc", "done")] }
    return (suggestions.isEmpty ? [] : [("↓", "suggestions")])
      + (isDate ? [("↑↓", "day")] : [])
      + (isLive ? [("⏎", "done")] : [("⏎", "send"), ("Esc", "cancel")])
  }
}
