internal import Support

/// The editor's output: rows, and the position of the cursor in them.
package struct EditorView: Sendable {
  /// The prompt and the line, and below them the completions, the question or the message.
  package let rows: [String]
  /// The row and column, counted from 0.
  package let cursor: (row: Int, column: Int)
  package static let empty = EditorView(rows: [""], cursor: (0, 0))
}

extension LineEditor {
  package mutating func view(size: TerminalSize) -> EditorView {
    var layout = LineLayout(columns: size.columns)
    if let search { return view(of: search, &layout, size) }
    layout.add(question.prompt)
    addLine(&layout)
    if let suggestion { addSuggestion(suggestion, &layout) }
    let cursor = layout.cursor
    var rows = layout.finish()
    let room = min(max(size.rows - rows.count - 1, 1), 12)
    if let menu {
      rows += menu.rows(columns: size.columns, rows: room)
    } else if let paste {
      rows += question(about: paste, columns: size.columns, rows: room)
    } else if let message {
      rows += TerminalRows.of([SafeText.line(message)], columns: size.columns)
    }
    return EditorView(rows: rows, cursor: cursor)
  }

  /// The line as it stays on the terminal once it is done, without suggestion, list or question.
  package func finalRows(size: TerminalSize, mark: String = "") -> [String] {
    var layout = LineLayout(columns: size.columns)
    layout.add(question.prompt)
    if !question.isSecret { layout.add(buffer.characters) }
    layout.add(mark)
    return layout.finish()
  }

  private func addLine(_ layout: inout LineLayout) {
    guard !question.isSecret else { return layout.markCursor() }
    layout.add(buffer.characters[..<buffer.cursor])
    if buffer.isAtEnd {
      layout.markCursor()
    } else {
      // If a wide grapheme does not fit in the row, the cursor moves to the next row with it.
      layout.markCursor(before: buffer.characters[buffer.cursor])
      layout.add(buffer.characters[buffer.cursor...])
    }
  }

  /// Adds as much of a suggestion as fits in the row.
  private func addSuggestion(_ text: String, _ layout: inout LineLayout) {
    guard layout.room > 1 else { return }
    layout.add(TextLayout.truncate(SafeText.line(text), to: layout.room - 1), style: "2")
  }

  private func view(
    of search: HistorySearch, _ layout: inout LineLayout, _ size: TerminalSize
  ) -> EditorView {
    layout.add("search: ")
    layout.add(search.wanted)
    layout.markCursor()
    let cursor = layout.cursor
    var rows = layout.finish()
    if search.isFailed {
      rows += TerminalRows.of(["  no earlier line holds it"], columns: size.columns)
    }
    if let found = search.position.flatMap(history.line) {
      var below = LineLayout(columns: size.columns)
      below.add("  ")
      let line = Array(found)
      let range = Self.range(of: search.wanted, in: line)
      below.add(line[..<range.lowerBound])
      below.add(line[range], style: "4")
      below.add(line[range.upperBound...])
      rows += below.finish()
    }
    return EditorView(rows: rows, cursor: cursor)
  }

  /// The range of a text in a line, ignoring case; empty if the line does not contain it.
  private static func range(of text: String, in line: [Character]) -> Range<Int> {
    let wanted = text.lowercased()
    let count = text.count
    guard count > 0, line.count >= count else { return 0..<0 }
    for start in 0...(line.count - count) {
      let part = String(line[start..<start + count])
      if part.lowercased() == wanted { return start..<start + count }
    }
    return 0..<0
  }

  private func question(about lines: [String], columns: Int, rows limit: Int) -> [String] {
    let shown = min(lines.count, max(limit - 2, 1))
    var rows = lines.prefix(shown).map {
      "│ " + TextLayout.truncate(SafeText.line($0), to: columns - 3)
    }
    let hidden = lines.count - shown
    if hidden > 0 { rows.append(TextLayout.truncate("│ … \(hidden) more", to: columns - 1)) }
    let text = "Run these \(lines.count) lines? y: run  n: drop  j: join into one line"
    return rows + TerminalRows.of([text], columns: columns)
  }
}
