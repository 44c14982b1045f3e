@_spi(Host) internal import AppCore
internal import Support

/// Draws one page of a list or a table.
struct RowsDrawing {
  let rows: PlacedRows
  let digits: Int
  let width: Int

  func lines() -> [StyledLine] {
    guard rows.total > 0 else {
      return StyledLine.wrap("(\(SafeText.line(rows.placeholder ?? "none")))", to: width, .dim)
    }
    let body = rows.columns.map(table) ?? list()
    return body + footer()
  }

  /// The width that is left next to the numbers.
  private var room: Int { max(width - digits - 3, 8) }

  private func tag(_ row: PlacedRows.Row) -> StyledLine {
    guard let number = row.number else {
      let mark = row.isFound ? "›" : ""
      return StyledLine(TextLayout.pad(mark, to: digits + 2, trailing: true) + " ")
    }
    return StyledLine(ControlDrawing.tag(number, digits: digits), .number)
  }

  private var margin: StyledLine { StyledLine(String(repeating: " ", count: digits + 3)) }

  private func list() -> [StyledLine] {
    let labels = rows.rows.map { SafeText.line($0.label) }
    let details = rows.rows.map { row in
      row.cells.dropFirst().map(SafeText.line).joined(separator: "  ")
    }
    let widest = labels.map(DisplayWidth.of).max() ?? 0
    let hasDetails = details.contains { !$0.isEmpty }
    let column = min(widest, hasDetails ? max(room / 2, 8) : room)
    return zip(rows.rows, zip(labels, details)).flatMap { row, texts in
      let (label, detail) = texts
      let rest = room - column - 2
      return StyledLine.hanging(
        tag(row),
        StyledLine.columns(
          TextLayout.wrap(label, to: max(column, 1)), row.isFound ? .strong : .plain,
          width: column,
          detail.isEmpty || rest < 1
            ? [] : TextLayout.wrap(detail, to: min(rest, TextFrame.maximumTextWidth)), .dim))
    }
  }

  private func table(_ columns: [TableColumn]) -> [StyledLine] {
    let cells = rows.rows.map { $0.cells.map(SafeText.line) }
    let count = max(columns.count, cells.map(\.count).max() ?? 0)
    guard count > 0 else { return [] }
    let titles = (0..<count).map { $0 < columns.count ? SafeText.line(columns[$0].title) : "" }
    guard let widths = TextLayout.columnWidths(titles, cells, width: room) else {
      return stacked(titles, cells)
    }
    func line(_ texts: [String], _ role: Role, _ tag: StyledLine) -> StyledLine {
      var line = tag
      for (index, width) in widths.enumerated() {
        let text = TextLayout.truncate(index < texts.count ? texts[index] : "", to: width)
        let isTrailing = index < columns.count && columns[index].alignment == .trailing
        line.append(TextLayout.pad(text, to: width, trailing: isTrailing), role)
        if index + 1 < widths.count { line.append("  ") }
      }
      return line
    }
    var lines: [StyledLine] = []
    if titles.contains(where: { !$0.isEmpty }) {
      lines.append(line(titles, .strong, margin))
      let rules = widths.map { String(repeating: "─", count: $0) }
      lines.append(line(rules, .dim, margin))
    }
    for (row, texts) in zip(rows.rows, cells) {
      lines.append(line(texts, row.isFound ? .strong : .plain, tag(row)))
    }
    return lines
  }

  /// The table for widths that are too small for columns: each cell on a line, after its title.
  private func stacked(_ titles: [String], _ cells: [[String]]) -> [StyledLine] {
    zip(rows.rows, cells).flatMap { row, texts in
      let shown = texts.enumerated().filter { $0.offset == 0 || !$0.element.isEmpty }
      let lines = shown.flatMap { index, text in
        let title = index == 0 || titles[index].isEmpty ? "" : titles[index] + ": "
        let role: Role = index > 0 ? .dim : row.isFound ? .strong : .plain
        return StyledLine.wrap(title + text, to: room, role)
      }
      return StyledLine.hanging(tag(row), lines)
    }
  }

  private func footer() -> [StyledLine] {
    guard rows.isPaged else { return [] }
    let first = rows.offset + 1
    let last = rows.offset + rows.rows.count
    var text = "rows \(first)–\(last) of \(rows.total)"
    if rows.hasFocus {
      text += " ·"
      if last < rows.total { text += " :next" }
      if rows.offset > 0 { text += " :prev" }
      text += " :page\u{a0}N :find\u{a0}TEXT"
    }
    return TextLayout.wrap(text, to: room).map { line in
      margin + StyledLine(line.replacingNoBreakSpaces, .dim)
    }
  }
}

extension String {
  fileprivate var replacingNoBreakSpaces: String {
    String(map { $0 == "\u{a0}" ? " " : $0 })
  }
}
