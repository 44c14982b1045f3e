public import Support

/// A drawing of a table of the kinds of actions: how often each was reduced and how long that took.
public struct TimesDrawing: Sendable {
  /// One kind of action.
  public struct Row: Sendable {
    public let action: String
    public let count: Int
    /// The total time, in microseconds, as are the other times.
    public let total: Double
    public let mean: Double
    public let longest: Double

    /// Creates a row.
    public init(action: String, count: Int, total: Double, mean: Double, longest: Double) {
      self.action = action
      self.count = count
      self.total = total
      self.mean = mean
      self.longest = longest
    }

    fileprivate var cells: [String] {
      ["\(count)"] + [total, mean, longest].map { NumberText.time(microseconds: $0) }
        + [SafeText.line(action)]
    }
  }

  private static let titles = ["count", "total", "mean", "longest", "action"]

  public let rows: [Row]

  /// Creates a table of rows, which are shown in this order.
  public init(_ rows: [Row]) { self.rows = rows }

  /// The table as lines: as sentences for linear text, and with the numbers below each name if
  /// there is no room for columns.
  public func lines(width: Int, style: Style) -> [String] {
    let width = max(width, 20)
    if style.isLinear { return rows.map { words($0.cells) } }
    let cells = rows.map(\.cells)
    let table = [Self.titles] + cells
    let widths = Self.titles.indices.dropLast().map { column in
      table.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    let room = width - widths.reduce(0) { $0 + $1 + 2 }
    guard room >= 24 else {
      return cells.flatMap { cells in
        [StyledLine(TextLayout.truncate(cells[4], to: width))]
          + TextLayout.wrap(numbers(cells), to: width - 2).map { StyledLine("  " + $0, .dim) }
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

  private func words(_ cells: [String]) -> String { "\(cells[4]): \(numbers(cells))" }

  private func numbers(_ cells: [String]) -> String {
    "\(cells[0])×, total \(cells[1]), mean \(cells[2]), longest \(cells[3])"
  }
}
