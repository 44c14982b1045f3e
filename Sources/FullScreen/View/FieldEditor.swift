@_spi(Host) internal import AppCore
internal import LineEditor
internal import Shell
internal import Support

/// The text that is being typed in a field, with the keys of the line editor.
struct FieldEditor: Sendable {
  let field: ControlIdentity
  let isMultiline: Bool
  let isSecret: Bool
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
    _ field: ControlIdentity, _ content: FieldContent, text: String? = nil, cursor: Int? = nil
  ) {
    self.field = field
    isMultiline = content.kind == .multiline
    isSecret = content.kind == .secret
    begin(with: text ?? content.text)
    if let cursor { editor.moveCursor(to: cursor) }
  }

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
    case .up, .down:
      guard isMultiline else { return .left }
      moveLine(by: key.code == .up ? -1 : 1)
    case .home where isMultiline: move { lines, place in lines[place.line].lowerBound }
    case .end where isMultiline: move { lines, place in lines[place.line].upperBound }
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
    let characters = isSecret ? editor.text.map { _ in "•" } : editor.text.map(Self.shown)
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

  /// The lines of a field of several lines, broken at the width, and the place of the cursor.
  func lines(columns: Int) -> (lines: [String], cursor: Picture.Position) {
    var lines = [""]
    var width = 0
    var cursor = Picture.Position(row: 0, column: 0)
    func mark(_ index: Int) {
      guard index == editor.cursor else { return }
      cursor = Picture.Position(row: lines.count - 1, column: width)
    }
    for (index, character) in editor.text.enumerated() {
      let shown = Self.shown(character)
      let own = DisplayWidth.of(shown)
      if !character.isNewline, width + own >= columns {
        lines.append("")
        width = 0
      }
      mark(index)
      if character.isNewline {
        lines.append("")
        width = 0
      } else {
        lines[lines.count - 1] += shown
        width += own
      }
    }
    mark(editor.text.count)
    return (lines, cursor)
  }

  private static func shown(_ character: Character) -> String {
    let text = SafeText.line(String(character))
    return DisplayWidth.of(text) == 0 ? "\u{25cc}" + text : text
  }

  /// Moves the cursor to the line above or below, in the same column if there is one.
  private mutating func moveLine(by step: Int) {
    move { lines, place in
      let target = min(max(place.line + step, 0), lines.count - 1)
      guard target != place.line else { return nil }
      let column = place.cursor - lines[place.line].lowerBound
      return min(lines[target].lowerBound + column, lines[target].upperBound)
    }
  }

  private mutating func move(
    to target: ([Range<Int>], (line: Int, cursor: Int)) -> Int?
  ) {
    var lines: [Range<Int>] = []
    var start = 0
    for (index, character) in editor.text.enumerated() where character.isNewline {
      lines.append(start..<index)
      start = index + 1
    }
    lines.append(start..<editor.text.count)
    let line = lines.firstIndex { editor.cursor <= $0.upperBound } ?? lines.count - 1
    if let target = target(lines, (line, editor.cursor)) { editor.moveCursor(to: target) }
  }
}
