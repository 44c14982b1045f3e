@_spi(Host) internal import AppCore
internal import Shell
internal import Support

/// Draws rows of a list or a table, one line each.
struct RowsBlock {
  let list: RowList
  let width: Int
  /// The widths that the cells of each column need, of all rows that were drawn so far: columns must
  /// not jump while a list scrolls.
  private(set) var natural: [Int]
  /// The first column, after the fixed one, of a table that is wider than the screen.
  let firstColumn: Int

  /// The number of lines above the first row.
  static func titleCount(_ list: RowList) -> Int {
    list.columns?.contains { !$0.title.isEmpty } == true ? 2 : 0
  }

  /// The lines of some rows, and of the titles above them if `hasTitles`.
  mutating func lines(
    _ positions: Range<Int>, hasTitles: Bool, cursor: Int?
  ) -> [StyledLine] {
    if natural.isEmpty, !positions.isEmpty {
      // A look ahead, so that rarely a row comes that needs wider columns.
      measure(made((0...Self.sample).map { (list.count - 1) / Self.sample * $0 }).map(\.cells))
    }
    let rows = made(positions)
    let titles = list.columns?.titles(sort: list.sort)
    measure(rows.map(\.cells) + (titles.map { [$0] } ?? []))
    let columns = fit()
    var lines: [StyledLine] = []
    if hasTitles, let titles, Self.titleCount(list) > 0 {
      var rules = titles.map { _ in "" }
      for (column, width) in columns where column < rules.count {
        rules[column] = String(repeating: "─", count: width)
      }
      lines = [
        line(titles, columns, .strong, mark: "  " + mark(nil)),
        line(rules, columns, .border, mark: "  " + mark(nil)),
      ]
    }
    return lines
      + zip(positions, rows).map { position, row in
        line(
          row.cells, columns, .plain,
          mark: (position == cursor ? "› " : "  ") + mark(row.isSelected))
      }
  }

  /// The number of rows, over the whole list, whose widths are measured when it is first drawn.
  private static let sample = 8

  private func made(
    _ positions: some Sequence<Int>
  ) -> [(cells: [String], isSelected: Bool?)] {
    var budget = RowBudget()
    return positions.map { position in
      let row = list.row(position)
      return (budget.fit(row.cells).map(SafeText.line), row.isSelected)
    }
  }

  private var room: Int { max(width - ControlBlock.gutter - mark(nil).count, 4) }

  /// Whether a row is selected, if rows of the list can be.
  private func mark(_ isSelected: Bool?) -> String {
    list.isSelectable ? isSelected.selectionMark : ""
  }

  private mutating func measure(_ rows: [[String]]) {
    for cells in rows {
      let cells =
        list.columns == nil && cells.count > 1 ? [cells[0], detail(cells)] : cells
      while natural.count < cells.count { natural.append(0) }
      for (column, cell) in cells.enumerated() {
        natural[column] = max(natural[column], DisplayWidth.of(cell))
      }
    }
  }

  /// The columns that are drawn, each with its width.
  private func fit() -> [(column: Int, width: Int)] {
    if list.columns == nil {
      let label = natural.first ?? 0
      guard natural.count > 1, natural[1] > 0 else { return [(0, min(label, room))] }
      let first = min(label, max(room * 2 / 3, room - natural[1] - 2))
      return [(0, first), (1, max(min(natural[1], room - first - 2), 0))]
    }
    if let widths = TextLayout.columnWidths(natural, width: room) {
      return widths.enumerated().map { ($0.offset, $0.element) }
    }
    // Sideways: the first column stays.
    var columns = [(column: 0, width: min(natural.first ?? 0, max(room / 2, 4)))]
    var used = columns[0].width
    for column in natural.indices.dropFirst(1 + firstColumn) {
      let rest = room - used - 2
      guard rest >= min(natural[column], 4) else { break }
      columns.append((column, min(natural[column], rest)))
      used += 2 + min(natural[column], rest)
    }
    return columns
  }

  private func line(
    _ cells: [String], _ columns: [(column: Int, width: Int)], _ role: Role, mark: String
  ) -> StyledLine {
    var line = StyledLine(mark, .accent)
    for (index, (column, width)) in columns.enumerated() {
      let isDetail = list.columns == nil && column == 1
      let text = isDetail ? detail(cells) : column < cells.count ? cells[column] : ""
      let alignment = list.columns.flatMap { column < $0.count ? $0[column].alignment : nil }
      let cell = TextLayout.pad(
        TextLayout.truncate(text, to: width), to: width, trailing: alignment == .trailing)
      line.append((index > 0 ? "  " : "") + cell, isDetail ? .dim : role)
    }
    return line
  }

  /// The text beside a row's label.
  private func detail(_ cells: [String]) -> String { cells.dropFirst().joined(separator: "  ") }
}
