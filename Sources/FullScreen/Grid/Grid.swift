internal import Support

/// The cells of a whole terminal, row by row.
///
/// Nothing that is drawn leaves its area: text that does not fit is cut between graphemes, a wide
/// grapheme is never cut in half, and a mark without a letter gets a dotted circle.
package struct Grid: Hashable, Sendable {
  package let size: GridSize
  private var rows: [[Cell]]

  package init(_ size: GridSize) {
    self.size = size
    rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
  }

  var area: Area { Area(rows: 0..<size.rows, columns: 0..<size.columns) }

  package func row(_ row: Int) -> [Cell] { rows[row] }

  /// Draws a line in a row of an area, from a column of the area on, which may be negative.
  ///
  /// - Returns: the column after it.
  @discardableResult
  mutating func put(_ line: StyledLine, row: Int, column: Int = 0, in area: Area) -> Int {
    var column = column
    for (text, role) in line.pieces {
      column = put(text, role, row: row, column: column, in: area)
    }
    return column
  }

  /// Draws text in a row of an area; see ``put(_:row:column:in:)``.
  @discardableResult
  mutating func put(
    _ text: String, _ role: Role, row: Int, column start: Int, in area: Area
  ) -> Int {
    let row = area.rows.lowerBound + row
    guard area.rows.contains(row), row < size.rows else { return start }
    let limit = min(area.columns.upperBound, size.columns)
    var column = area.columns.lowerBound + start
    func inside(_ width: Int) -> Bool {
      column >= area.columns.lowerBound && column + width <= limit
    }
    for character in text {
      guard column < limit else { break }
      if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7f {
        if inside(1) { rows[row][column] = Cell(Cell.ascii[Int(ascii)], role) }
        column += 1
        continue
      }
      let (shown, width) = Self.shown(character)
      guard width > 0 else { continue }
      if inside(width) {
        rows[row][column] = Cell(shown, role)
        if width == 2 { rows[row][column + 1] = .continuation(role) }
      } else if inside(1) {
        rows[row][column] = Cell(" ", role)
      } else if width == 2, column == area.columns.lowerBound - 1, column + 1 < limit {
        rows[row][column + 1] = Cell(" ", role)
      }
      column += width
    }
    return column - area.columns.lowerBound
  }

  /// A character as it is drawn, and its width.
  private static func shown(_ character: Character) -> (text: String, width: Int) {
    let text = SafeText.character(character)
    let width = DisplayWidth.of(text)
    if width == 0 { return ("\u{25cc}" + text, text.isEmpty ? 0 : 1) }
    // What is shown for a hazard may have several columns, which are not one grapheme.
    return width <= 2 && text.count == 1 ? (text, width) : ("\u{fffd}", 1)
  }

  /// Gives the cells of an area another role.
  mutating func paint(_ role: Role, row: Int, columns: Range<Int>, in area: Area) {
    let row = area.rows.lowerBound + row
    guard area.rows.contains(row), row < size.rows else { return }
    let lower = area.columns.lowerBound
    let columns = (lower + columns.lowerBound..<lower + columns.upperBound)
      .clamped(to: area.columns).clamped(to: 0..<size.columns)
    for column in columns {
      rows[row][column] = Cell(rows[row][column].text, role)
    }
  }

  /// Clears an area; a wide grapheme that it cuts goes as a whole.
  mutating func clear(_ area: Area) {
    let area = area.clamped(to: self.area)
    for row in area.rows {
      guard !area.columns.isEmpty else { continue }
      let (start, end) = (area.columns.lowerBound, area.columns.upperBound)
      if rows[row][start].text.isEmpty {
        rows[row][start - 1] = Cell(" ", rows[row][start - 1].role)
      }
      if end < size.columns, rows[row][end].text.isEmpty {
        rows[row][end] = Cell(" ", rows[row][end].role)
      }
      for column in start..<end { rows[row][column] = .blank }
    }
  }

  /// Draws a frame around an area, with a title in its upper edge.
  mutating func frame(_ area: Area, title: String) {
    let width = area.columns.count
    guard width >= 2, area.rows.count >= 2 else { return }
    let edge = String(repeating: "─", count: width - 2)
    put("┌" + edge + "┐", .border, row: 0, column: 0, in: area)
    for row in 1..<area.rows.count - 1 {
      put("│", .border, row: row, column: 0, in: area)
      put("│", .border, row: row, column: width - 1, in: area)
    }
    put("└" + edge + "┘", .border, row: area.rows.count - 1, column: 0, in: area)
    guard width >= 8, !title.isEmpty else { return }
    put(" " + TextLayout.truncate(title, to: width - 6) + " ", .strong, row: 0, column: 2, in: area)
  }

  /// Moves rows up by `count`, or down if it is negative; the rows that become free are blank.
  mutating func scroll(_ moved: Range<Int>, by count: Int) {
    let (former, blank) = (rows, Array(repeating: Cell.blank, count: size.columns))
    for row in moved {
      rows[row] = moved.contains(row + count) ? former[row + count] : blank
    }
  }
}

package struct GridSize: Hashable, Sendable {
  package let columns: Int
  package let rows: Int

  /// Creates a size; a terminal that says it has no rows or columns has one.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 1000)
    self.rows = min(max(rows, 1), 1000)
  }

  /// Whether an app can be used in so few cells; below it there is only a note.
  package var isUsable: Bool { columns >= 20 && rows >= 5 }
}

/// A part of a grid.
struct Area: Hashable {
  var rows: Range<Int>
  var columns: Range<Int>

  func clamped(to other: Area) -> Area {
    Area(rows: rows.clamped(to: other.rows), columns: columns.clamped(to: other.columns))
  }

  /// The part without its edges.
  func inset(rows top: Int = 0, _ bottom: Int = 0, columns left: Int = 0, _ right: Int = 0) -> Area
  {
    let start = min(rows.lowerBound + top, rows.upperBound)
    let first = min(columns.lowerBound + left, columns.upperBound)
    return Area(
      rows: start..<max(start, rows.upperBound - bottom),
      columns: first..<max(first, columns.upperBound - right))
  }
}
