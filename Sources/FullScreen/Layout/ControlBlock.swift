@_spi(Host) internal import AppCore
internal import Shell
internal import Support

/// Draws a control that is not a row, with the mark of the focus before it and its problem below it.
struct ControlBlock {
  let control: ControlContent
  let width: Int
  /// See ``Page/labelWidth``.
  let labelWidth: Int
  /// The text that is being typed in it; `nil` if nothing is.
  var editor: FieldEditor?
  var hasFocus = false

  /// The columns before each line, of which the first one has the mark of the focus.
  static let gutter = 2
  private static let longestText = 200
  private static let widestField = 48
  /// A longer label does not move the texts of other fields.
  static let widestLabel = 24

  /// The cells of a field's text among its lines, and the cursor; `nil` if nothing is being typed.
  struct TextPlace {
    var row: Int
    var column: Int
    let rows: Int
    let columns: Int
    var cursor: Picture.Position?
  }

  /// The lines, and where the text of a field is in them.
  func lines() -> (lines: [StyledLine], text: TextPlace?) {
    var (body, place): ([StyledLine], TextPlace?) =
      switch control.kind {
      case .button: (StyledLine.wrap("[ \(label) ]", to: room, role), nil)
      case .toggle(let isOn):
        (StyledLine.wrap((isOn ? "[x] " : "[ ] ") + label, to: room, role), nil)
      case .choice(let options, let selected): (choice(options, selected), nil)
      case .field(let field) where field.kind == .multiline: text(field)
      case .field(let field): self.field(field)
      }
    if let problem = control.problem { body += TextFrame.marked(problem, .error, width: room) }
    place?.column += Self.gutter
    return (StyledLine.hanging(StyledLine(hasFocus ? "› " : "  ", .accent), body), place)
  }

  private var label: String { ShellScreen.label(of: control) }

  /// The label before the text of a field.
  static func lead(_ control: ControlContent) -> String { ShellScreen.label(of: control) + ": " }

  private var role: Role { control.isEnabled ? hasFocus ? .focus : .plain : .disabled }
  private var room: Int { Self.room(width) }
  private static func room(_ width: Int) -> Int {
    max(min(width, TextFrame.maximumTextWidth) - gutter, 6)
  }
  /// The columns of a text of several lines, and of the cursor after it.
  static func textColumns(width: Int) -> Int { max(room(width) - 2, 4) }

  private func choice(_ options: [ChoiceOption], _ selected: String?) -> [StyledLine] {
    let position = options.firstIndex { $0.id == selected }
    var line = StyledLine(label + ": ", control.isEnabled ? .plain : .disabled)
    for (index, option) in options.enumerated() where line.width <= room {
      if index > 0 { line.append("   ") }
      line.append(
        (index == position ? "● " : "○ ") + SafeText.line(option.label),
        index == position ? role : control.isEnabled ? .plain : .disabled)
    }
    if !options.isEmpty, line.width <= room { return [line] }
    let chosen = position.map { SafeText.line(options[$0].label) } ?? "(none)"
    let count = position.map { " \($0 + 1) of \(options.count)" } ?? " of \(options.count)"
    let value = "‹ " + TextLayout.truncate(chosen, to: max(room - count.count - 4, 1)) + " ›"
    let short = StyledLine(label + ": ") + StyledLine(value, role) + StyledLine(count, .dim)
    if short.width <= room { return [short] }
    return StyledLine.wrap(label + ":", to: room)
      + [StyledLine(value, role) + StyledLine(count, .dim)]
  }

  /// A field of one line: its label, and its text in brackets.
  private func field(_ field: FieldContent) -> ([StyledLine], TextPlace?) {
    let own = Self.lead(control)
    let padded = TextLayout.pad(own, to: labelWidth)
    let lead = DisplayWidth.of(padded) + 12 <= room ? padded : own
    let isBeside = DisplayWidth.of(lead) + 12 <= room
    let start = isBeside ? DisplayWidth.of(lead) : 0
    let columns = max(min(room - start - 2, Self.widestField), 4)
    var value: StyledLine
    var place = TextPlace(row: 0, column: start + 1, rows: 1, columns: columns)
    var suggested: [StyledLine] = []
    if var editor {
      editor.update(from: field)
      suggested = editor.suggestions.enumerated().map { index, text in
        let isChosen = index == editor.chosen
        let text = TextLayout.truncate(SafeText.line(text), to: columns)
        return StyledLine(String(repeating: " ", count: max(start - 1, 0)))
          + StyledLine(isChosen ? "› " : "  ", .accent) + StyledLine(text, isChosen ? .focus : .dim)
      }
      let view = editor.view(columns: columns)
      value = StyledLine(view.text, .selection)
      place.cursor = Picture.Position(row: 0, column: view.cursor)
    } else if field.kind == .secret {
      value = field.isSet ? StyledLine("•••", role) : StyledLine("not set", hasFocus ? role : .dim)
    } else if field.text.isEmpty {
      let hint = TextLayout.truncate(SafeText.line(field.placeholder ?? ""), to: columns)
      value = StyledLine(hint, hasFocus ? role : .dim)
    } else {
      value = StyledLine(TextLayout.truncate(SafeText.line(field.text), to: columns), role)
    }
    let rest = String(repeating: " ", count: max(columns - value.width, 0))
    // Spaces that belong to the field: a line drops the roles of spaces of its own.
    value = StyledLine("[", .border) + value + StyledLine(rest) + StyledLine("]", .border)
    if isBeside {
      let line = StyledLine(lead, control.isEnabled ? .plain : .disabled) + value
      return ([line] + suggested, place)
    }
    let title = StyledLine.wrap(label + ":", to: room, control.isEnabled ? .plain : .disabled)
    place.row = title.count
    return (title + [value] + suggested, place)
  }

  /// A field of several lines, below its label.
  private func text(_ field: FieldContent) -> ([StyledLine], TextPlace?) {
    let title = StyledLine.wrap(label + ":", to: room, control.isEnabled ? .plain : .disabled)
    let bar = StyledLine("│ ", .border)
    let columns = Self.textColumns(width: width)
    func place(_ rows: Int, _ cursor: Picture.Position? = nil) -> TextPlace {
      TextPlace(row: title.count, column: 2, rows: rows, columns: columns, cursor: cursor)
    }
    if let editor {
      let (lines, cursor) = editor.lines(columns: columns)
      return (title + lines.map { bar + StyledLine($0) }, place(lines.count, cursor))
    }
    guard !field.text.isEmpty else {
      let hint = SafeText.line(field.placeholder ?? "empty")
      return (title + [bar + StyledLine("(\(hint))", hasFocus ? role : .dim)], place(1))
    }
    // As it will be when it is edited.
    var lines = WrappedText(field.text, columns: columns).lines
    if lines.count > Self.longestText {
      let more = lines.count - Self.longestText + 1
      lines = lines.prefix(Self.longestText - 1) + ["… \(more) more lines"]
    }
    return (title + lines.map { bar + StyledLine($0, role) }, place(lines.count))
  }
}
