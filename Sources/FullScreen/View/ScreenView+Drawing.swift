@_spi(Host) internal import AppCore
internal import LineEditor
internal import Shell
internal import Support

extension ScreenView {
  /// Draws what is to be seen.
  ///
  /// - Complexity: O(*n*), where *n* is the number of cells; only the rows that are in view are
  ///   created.
  package mutating func picture() -> Picture {
    var grid = Grid(size)
    guard size.isUsable else {
      grid.put("The window is too small.", .plain, row: 0, column: 0, in: grid.area)
      return Picture(grid)
    }
    drawTop(&grid)
    if hasRules {
      let rule = String(repeating: "─", count: size.columns)
      for row in [1, size.rows - 2 - noticeLines.count] {
        grid.put(rule, .border, row: row, column: 0, in: grid.area)
      }
    }
    var cursor: Picture.Position?
    var echo: FieldEcho?
    if case .reading(let reader) = mode {
      draw(reader, &grid)
    } else {
      drawOpener(&grid)
      if let dialog = dialogArea {
        grid.clear(dialog)
        grid.frame(dialog, title: screen?.name ?? "")
      }
      (cursor, echo) = drawPage(&grid)
    }
    for (index, line) in noticeLines.enumerated() {
      grid.put(line, row: size.rows - 1 - noticeLines.count + index, column: 1, in: grid.area)
    }
    cursor = drawLastLine(&grid) ?? cursor
    var picture = Picture(grid, cursor: cursor)
    if case .browsing = mode { picture.echo = echo }
    picture.isUnfinished = isSearching
    return picture
  }

  private func drawTop(_ grid: inout Grid) {
    guard let screen else { return }
    var chrome = screen.chrome
    chrome.titles = chrome.titles.dropLast() + [screen.name]
    let columns = tabColumns
    let end = columns.first { !$0.isEmpty }?.lowerBound ?? size.columns
    let path = chrome.breadcrumb(width: max(end - 3, 4))
    grid.put(path, .strong, row: 0, column: 1, in: grid.area)
    for (tab, columns) in zip(chrome.tabs, columns) where !columns.isEmpty {
      let text = (tab.isSelected ? "● " : "○ ") + SafeText.line(tab.title)
      let role: Role =
        tab.isSelected ? areTabsFocused ? .focus : .strong : .dim
      grid.put(
        TextLayout.truncate(text, to: columns.count), role, row: 0, column: columns.lowerBound,
        in: grid.area)
    }
  }

  /// Draws the screen that a dialog covers, dimmed.
  private mutating func drawOpener(_ grid: inout Grid) {
    guard let opener else { return }
    var view = ScreenView()
    var shown = opener
    shown.chrome.isModal = false
    view.places[opener.owner] = places[opener.owner]
    view.show(shown, size: size)
    _ = view.drawPage(&grid)
    let body = bodyArea
    for row in body.rows.indices {
      grid.paint(.dim, row: row - body.rows.lowerBound, columns: 0..<size.columns, in: body)
    }
  }

  /// Draws the part of the page that is in view, and returns where the cursor is, and the field that
  /// has the focus.
  private mutating func drawPage(_ grid: inout Grid) -> (Picture.Position?, FieldEcho?) {
    let area = pageArea
    let content = area.inset(columns: 1, 1)
    let top = place.top
    var cursor: Picture.Position?
    var echo: FieldEcho?
    for block in page.blocks(in: top..<top + area.rows.count) {
      // Of rows, only those that are in view.
      let lines = block.lines.clamped(to: top..<top + area.rows.count)
      var first = block.lines.lowerBound
      var drawn: [StyledLine]
      var focusedRow: Int?
      let start = content.columns.lowerBound
      let columns = start + block.columns.lowerBound..<start + block.columns.upperBound
      let cells = Area(rows: content.rows, columns: columns).clamped(to: content)
      switch block.content {
      case .lines(let all): drawn = all
      case .control(let control, let target):
        let editor = place.editor?.field == target.identity ? place.editor : nil
        let hasFocus = place.focus == .control(target.identity)
        let (all, text) = ControlBlock(
          control: control, width: block.width, labelWidth: page.labelWidth,
          editor: editor, hasFocus: hasFocus
        ).lines()
        drawn = all
        guard let text, hasFocus, case .field(let field) = control.kind else { break }
        let row = content.rows.lowerBound + first + text.row - top
        let column = cells.columns.lowerBound + block.indent + text.column
        if let place = text.cursor, cells.rows.contains(row + place.row) {
          cursor = Picture.Position(
            row: row + place.row, column: min(column + place.column, cells.columns.upperBound))
        }
        let area = Area(rows: row..<row + text.rows, columns: column..<column + text.columns)
        guard area == area.clamped(to: cells) else { break }
        var shown = editor ?? FieldEditor(target, field)
        shown.room = textRoom(in: block)
        echo = FieldEcho(shown, isBegun: editor != nil, area: area)
      case .rows(let list):
        (drawn, first, focusedRow) = rows(of: list, block, lines)
      }
      for (offset, line) in drawn.enumerated() {
        let row = first + offset - top
        guard row >= 0 else { continue }
        grid.put(line, row: row, column: block.indent, in: cells)
        if first + offset == focusedRow {
          let start = block.indent + ControlBlock.gutter
          grid.paint(.focus, row: row, columns: start..<max(cells.columns.count, start), in: cells)
        }
      }
    }
    drawScrollBar(&grid, area)
    return (cursor, echo)
  }

  /// Lines of a list, the first of them, and the line of the row that has the cursor.
  private mutating func rows(
    of list: RowList, _ block: Page.Block, _ lines: Range<Int>
  ) -> ([StyledLine], Int, Int?) {
    let titles = RowsBlock.titleCount(list)
    let firstRow = block.lines.lowerBound + titles
    let positions = max(lines.lowerBound - firstRow, 0)..<max(lines.upperBound - firstRow, 0)
    var kept = place.lists[list.key] ?? ListPlace()
    let count = list.columns?.count
    var rows = RowsBlock(
      list: list, width: block.width,
      natural: kept.columnCount == count ? kept.natural : [],
      firstColumn: min(kept.firstColumn, max((count ?? 0) - 2, 0)))
    let hasTitles = lines.lowerBound < firstRow
    let hasFocus = place.focus == .list(list.key)
    let drawn = rows.lines(
      positions, hasTitles: hasTitles, cursor: hasFocus ? kept.position : nil)
    (kept.natural, kept.columnCount) = (rows.natural, count)
    place.lists[list.key] = kept
    let first = hasTitles ? block.lines.lowerBound : firstRow + positions.lowerBound
    return (drawn, first, hasFocus ? firstRow + kept.position : nil)
  }

  private func drawScrollBar(_ grid: inout Grid, _ area: Area) {
    let (rows, height) = (area.rows.count, page.height)
    guard height > rows, rows > 0 else { return }
    let size = max(rows * rows / height, 1)
    let scrolled = Double(place.top) / Double(max(height - rows, 1))
    let start = Int((scrolled * Double(rows - size)).rounded())
    for row in 0..<rows {
      let isThumb = (start..<start + size).contains(row)
      grid.put(isThumb ? "█" : "│", .border, row: row, column: area.columns.count - 1, in: area)
    }
  }

  private func draw(_ reader: Reader, _ grid: inout Grid) {
    let area = bodyArea
    for (row, line) in reader.lines.dropFirst(reader.top).prefix(area.rows.count).enumerated() {
      grid.put(line, row: row, column: 1, in: area)
    }
  }

  /// Draws the keys, or what is typed instead of them, and returns where the cursor is.
  private func drawLastLine(_ grid: inout Grid) -> Picture.Position? {
    let last = size.rows - 1
    switch mode {
    case .finding(let find):
      let lead = find.isFailed ? "not found: " : find.search == nil ? "find: " : "searching: "
      let text = lead + SafeText.line(find.text)
      let column = grid.put(
        text, find.isFailed ? .warning : .plain, row: last, column: 1, in: grid.area)
      return Picture.Position(row: last, column: min(column, size.columns - 1))
    case .command(var editor):
      let view = editor.view(size: TerminalSize(columns: size.columns, rows: size.rows - 1))
      // Its end, or the part with the cursor.
      let room = size.rows - 1
      let start = min(max(view.rows.count - room, 0), view.cursor.row)
      let rows = view.rows[start...].prefix(room)
      let first = size.rows - rows.count
      grid.clear(Area(rows: first..<size.rows, columns: 0..<size.columns))
      for (index, row) in rows.enumerated() {
        grid.put(StyledLine(styled: row), row: first + index, column: 0, in: grid.area)
      }
      return Picture.Position(
        row: first + view.cursor.row - start, column: min(view.cursor.column, size.columns - 1))
    case .reading(let reader):
      var line = StyledLine(reader.title, .strong)
      if reader.lines.count > bodyRows { line.append("  ↑↓ scroll") }
      grid.put(line + StyledLine("  Esc close"), row: last, column: 1, in: grid.area)
    case .browsing:
      grid.put(keyLine, row: last, column: 1, in: grid.area)
    }
    return nil
  }
}
