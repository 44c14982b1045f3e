@_spi(Host) internal import AppCore
internal import LineEditor
internal import Shell
internal import Support

/// The text that is being typed in a field, with the keys of the line editor.
struct FieldEditor: Sendable {
  let field: ControlIdentity
  let isMultiline: Bool
  let isSecret: Bool
  /// Whether each change is sent.
  let isLive: Bool
  /// The date that is meant by `today` in a field for one; `nil` in others.
  private let today: (@Sendable () -> CalendarDate)?
  /// The text that was sent last while it was typed.
  var sent: String?
  /// The suggestions for what is typed, as many as are shown.
  private(set) var suggestions: [String] = []
  /// The index of the suggestion that Enter takes; `nil` for the text itself.
  private(set) var chosen: Int?
  /// The size of the part of a field of several lines that is in view.
  var room = GridSize(columns: 80, rows: 10)
  /// The column from which the arrows have moved the cursor up and down; `nil` after other keys.
  private var column: Int?
  private var editor = LineEditor()

  /// What a key means for the field.
  enum Effect {
    /// The text or the cursor may have changed.
    case none
    /// Enter: the text is complete.
    case finished
    /// Escape or Ctrl-C: the former text stays. Escape finishes a field of several lines instead,
    /// since its text is work that must not be lost by one key.
    case abandoned
    /// A key that leads to another control.
    case left
    /// A key of the screen: the help, another tab, or the end of the app.
    case general
  }

  /// Begins with the field's text, or with one that was half-typed.
  init(
    _ target: ControlTarget, _ content: FieldContent, text: String? = nil, cursor: Int? = nil
  ) {
    field = target.identity
    today = content.kind == .date ? target.today : nil
    isMultiline = content.kind == .multiline
    isSecret = content.kind == .secret
    isLive = content.isLive
    begin(with: text ?? content.text)
    if let cursor { editor.moveCursor(to: cursor) }
    update(from: content)
  }

  private static let suggestionLimit = 5

  /// Finds the suggestions that contain what is typed, ignoring case.
  mutating func update(from content: FieldContent) {
    let wanted = Array(editor.text.lowercased().utf8)
    let text = editor.text
    let found = content.suggestions.lazy.filter { $0 != text && $0.holds(folded: wanted) }
    let former = chosenSuggestion
    suggestions = Array(found.prefix(Self.suggestionLimit))
    chosen = former.flatMap(suggestions.firstIndex)
  }

  var chosenSuggestion: String? { chosen.map { suggestions[$0] } }

  mutating func begin(with text: String) {
    editor.begin(
      LineEditor.Question(prompt: "", isSecret: isSecret, usesHistory: false), text: text)
  }

  var text: String { editor.text }
  /// The number of characters before the cursor.
  var cursor: Int { editor.cursor }
  /// A message about the last key, such as that a line is too long.
  var message: String? { editor.message }

  mutating func press(_ key: KeyPress) -> Effect {
    let (former, column) = (chosen, self.column)
    (chosen, self.column) = (nil, nil)
    switch key.code {
    case .down where !suggestions.isEmpty:
      chosen = min((former ?? -1) + 1, suggestions.count - 1)
      return .none
    case .up where former != nil:
      chosen = former.flatMap { $0 > 0 ? $0 - 1 : nil }
      return .none
    case .enter:
      guard let former, suggestions.indices.contains(former) else { break }
      begin(with: suggestions[former])
      return .finished
    default: break
    }
    switch key.code {
    case .escape: return isMultiline ? .finished : .abandoned
    case .scalar("c") where key.modifiers == .control: return .abandoned
    case .tab: return .left
    case .function(1): return .general
    case .scalar("q") where key.modifiers == .control: return .general
    case .scalar("1"..."9") where key.modifiers == .alt: return .general
    case .pageUp where key.modifiers == .control, .pageDown where key.modifiers == .control:
      return .general
    case .enter where isMultiline: _ = editor.insert("\n")
    case .enter: return .finished
    case .up where today != nil: step(by: 1)
    case .down where today != nil: step(by: -1)
    case .up, .down:
      guard isMultiline else { return .left }
      moveRows(by: key.code == .up ? -1 : 1, from: column)
    case .pageUp where isMultiline: moveRows(by: 1 - room.rows, from: column)
    case .pageDown where isMultiline: moveRows(by: room.rows - 1, from: column)
    case .pageUp, .pageDown: return .none
    case .paste(let text) where isMultiline: _ = editor.insert(text)
    case .paste(let text):
      // A line that was copied as a whole ends with a newline.
      let lines = text.split(separator: "\n")
      _ = editor.insert(lines.joined(separator: isSecret ? "" : " "))
    default: _ = editor.press(key)
    }
    return .none
  }

  /// The part of the text around the cursor that fits in a field of one line, and the cursor's column.
  func view(columns: Int) -> (text: String, cursor: Int) {
    let characters = editor.text.map { isSecret ? "•" : WrappedText.shown($0).text }
    var start = editor.cursor
    var used = 0
    // As much as fits before the cursor, with a column for the cursor itself.
    while start > 0, used + DisplayWidth.of(characters[start - 1]) < columns {
      start -= 1
      used += DisplayWidth.of(characters[start])
    }
    var text = characters[start..<editor.cursor].joined()
    var width = used
    for character in characters[editor.cursor...] {
      width += DisplayWidth.of(character)
      guard width <= columns else { break }
      text += character
    }
    return (text, used)
  }

  /// Whether the arrows choose a date.
  var isDate: Bool { today != nil }

  /// Replaces a date by the next one, or the one before it; an empty text by today's.
  private mutating func step(by days: Int) {
    guard let today else { return }
    let date =
      editor.text.isEmpty
      ? today() : DateText.date(editor.text, today: today)?.advanced(by: days)
    if let date { editor.replace(with: "\(date)") }
  }

  /// The lines of the field, of which there may be several, and the place of the cursor.
  func lines(columns: Int) -> (lines: [String], cursor: Picture.Position) {
    guard isMultiline else {
      let view = view(columns: columns)
      return ([view.text], Picture.Position(row: 0, column: view.cursor))
    }
    let text = WrappedText(editor.text, columns: columns)
    return (text.lines, text.place(of: editor.cursor))
  }

  /// Moves the cursor to the row that is so many below or, if negative, above, near the column in
  /// which it was when it began to move.
  private mutating func moveRows(by count: Int, from column: Int?) {
    let text = WrappedText(editor.text, columns: room.columns)
    let place = text.place(of: editor.cursor)
    let row = min(max(place.row + count, 0), text.rows.count - 1)
    let column = column ?? place.column
    if row != place.row { editor.moveCursor(to: text.index(row: row, column: column)) }
    self.column = column
  }
}
