package import LineEditor
internal import Shell
internal import Support

/// The field of a picture that has the focus, in which what is typed can be shown before the app,
/// which may be busy, has handled it.
struct FieldEcho: Sendable {
  private var editor: FieldEditor
  /// Whether it is being edited; otherwise the first key begins that.
  private var isBegun: Bool
  /// Whether a text was sent, which then stays in the field.
  private var isSent = false
  /// The cells of its text.
  private let area: Area

  init(_ editor: FieldEditor, isBegun: Bool, area: Area) {
    (self.editor, self.isBegun, self.area) = (editor, isBegun, area)
  }

  /// Handles a key as ``ScreenView/press(_:)`` will; returns `false` if that does more than to edit
  /// the text.
  mutating func press(_ key: KeyPress) -> Bool {
    if isBegun {
      let effect = editor.press(key)
      if effect == .finished {
        (isBegun, isSent) = (false, true)
        editor.begin(with: editor.isSecret ? "" : editor.text)
      }
      return effect == .none || effect == .finished
    }
    switch (key.code, key.modifiers) {
    case (.enter, _), (.scalar(" "), []):
      isBegun = true
      return true
    case (.scalar(":"), []): return false
    case (.scalar, []), (.paste, _):
      isBegun = true
      return editor.press(key) == .none
    default: return false
    }
  }

  /// Draws the text, with as many of its lines as there is room for around the cursor.
  func draw(in picture: inout Picture) {
    guard isBegun || isSent, !area.rows.isEmpty else { return }
    let (lines, cursor) = editor.lines(columns: area.columns.count)
    let top = min(max(cursor.row - area.rows.count + 1, 0), max(lines.count - area.rows.count, 0))
    picture.grid.clear(area)
    for (row, line) in lines.dropFirst(top).prefix(area.rows.count).enumerated() {
      picture.grid.put(
        line, !isBegun ? .focus : editor.isMultiline ? .plain : .selection, row: row, column: 0,
        in: area)
    }
    picture.cursor =
      isBegun
      ? Picture.Position(
        row: area.rows.lowerBound + cursor.row - top,
        column: min(area.columns.lowerBound + cursor.column, picture.grid.size.columns - 1)) : nil
  }
}

extension Picture {
  /// The picture as it will be when keys for its field have been handled.
  package func echoing(_ keys: [KeyPress]) -> Picture {
    guard var echo else { return self }
    for key in keys { guard echo.press(key) else { break } }
    var picture = self
    echo.draw(in: &picture)
    return picture
  }
}
