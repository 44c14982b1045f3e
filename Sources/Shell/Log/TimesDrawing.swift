package import Support

/// A drawing of a table of the kinds of actions: how often each was reduced and how long that took.
package struct TimesDrawing {
  /// One kind of action, with its times in microseconds.
  package typealias Row = (action: String, count: Int, total: Double, mean: Double, longest: Double)

  private static let titles = ["count", "total", "mean", "longest", "action"]
  private let cells: [[String]]

  /// Creates a table of rows, which are shown in this order.
  package init(_ rows: [Row]) {
    cells = rows.map { row in
      ["\(row.count)"] + [row.total, row.mean, row.longest].map(NumberText.time)
        + [SafeText.line(row.action)]
    }
  }

  /// The table as lines: as sentences for linear text, and with the numbers below each name if
  /// there is no room for columns.
  package func lines(width: Int, style: Style) -> [String] {
    let width = max(width, 20)
    if style.isLinear { return cells.map { "\($0[4]): \(numbers($0))" } }
    let table = [Self.titles] + cells
    let widths = Self.titles.indices.dropLast().map { column in
      table.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    let room = width - widths.reduce(0) { $0 + $1 + 2 }
    guard room >= 24 else {
      return cells.flatMap { cells in
        [StyledLine(TextLayout.truncate(cells[4], to: width))]
          + StyledLine.wrap(numbers(cells), to: width - 2, .dim).map { StyledLine("  ") + $0 }
      }.map { $0.text(style) }
    }
    return table.enumerated().map { index, cells in
      var line = StyledLine()
      for (cell, width) in zip(cells, widths) {
        line.append(
          TextLayout.pad(cell, to: width, trailing: true) + "  ", index == 0 ? .strong : .dim)
      }
      line.append(TextLayout.truncate(cells[4], to: room), index == 0 ? .strong : .plain)
      return line.text(style)
    }
  }

  private func numbers(_ cells: [String]) -> String {
    "\(cells[0])×, total \(cells[1]), mean \(cells[2]), longest \(cells[3])"
  }
}
