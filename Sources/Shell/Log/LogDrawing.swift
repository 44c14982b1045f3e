public import Support

/// A drawing of a log: its entries, each with its results below it.
public struct LogDrawing: Sendable {
  public struct Entry: Sendable {
    public let origin: String
    /// The name of its instance; empty if there is none.
    public let owner: String
    public let text: String
    /// How long it took, in microseconds; `nil` if it has no duration.
    public let microseconds: Double?
    public let notes: [Note]

    public init(
      origin: String, owner: String = "", text: String, microseconds: Double? = nil,
      notes: [Note] = []
    ) {
      self.origin = origin
      self.owner = owner
      self.text = text
      self.microseconds = microseconds
      self.notes = notes
    }
  }

  public struct Note: Sendable {
    public let text: String
    public let isFailure: Bool

    public init(_ text: String, isFailure: Bool = false) {
      self.text = text
      self.isFailure = isFailure
    }
  }

  public let entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  /// The drawing as lines: origin, owner, time and text in columns, with indented notes below.
  public func lines(width: Int, style: Style) -> [String] {
    let width = max(width, 20)
    if style.isLinear { return entries.flatMap(linear) }
    let origin = entries.map { DisplayWidth.of(SafeText.line($0.origin)) }.max() ?? 0
    let owner = min(
      entries.map { DisplayWidth.of(SafeText.line($0.owner)) }.max() ?? 0, max(width / 4, 8))
    // A minimum width for times, which vary from run to run: the columns should not.
    let longest = entries.map { DisplayWidth.of(Self.time($0)) }.max() ?? 0
    let time = longest == 0 ? 0 : max(longest, "1.25 ms".count)
    let room = width - origin - owner - time - 6
    return entries.flatMap { entry -> [StyledLine] in
      let text = SafeText.line(entry.text)
      let label = StyledLine(TextLayout.pad(SafeText.line(entry.origin), to: origin), .dim)
      let whose = TextLayout.truncate(SafeText.line(entry.owner), to: owner)
      let duration = StyledLine(TextLayout.pad(Self.time(entry), to: time, trailing: true), .dim)
      var lines: [StyledLine]
      if room >= 16 {
        let columns = [label, StyledLine(TextLayout.pad(whose, to: owner)), duration]
        let head = columns.reduce(StyledLine()) { $0 + ($1.width > 0 ? $1 + StyledLine("  ") : $1) }
        lines = [head + StyledLine(TextLayout.truncate(text, to: room))]
      } else {
        // Too narrow for columns: the text is put on the next line.
        let below = entry.owner.isEmpty ? text : whose + " " + text
        lines = [
          label + StyledLine("  ") + duration,
          StyledLine("  " + TextLayout.truncate(below, to: width - 2)),
        ]
      }
      for note in entry.notes {
        let role: Role = note.isFailure ? .error : .dim
        lines += StyledLine.hanging(
          StyledLine(note.isFailure ? "  ✗ " : "  → ", role),
          StyledLine.wrap(SafeText.paragraph(note.text), to: width - 4, role))
      }
      return lines
    }.map { $0.text(style) }
  }

  private func linear(_ entry: Entry) -> [String] {
    let parts = [entry.origin, entry.owner, entry.text, Self.time(entry)]
    return [parts.map(SafeText.line).filter { !$0.isEmpty }.joined(separator: ", ")]
      + entry.notes.map { ($0.isFailure ? "  Failed: " : "  Then: ") + SafeText.line($0.text) }
  }

  private static func time(_ entry: Entry) -> String {
    entry.microseconds.map { NumberText.time(microseconds: $0) } ?? ""
  }
}

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
