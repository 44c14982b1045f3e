package import Support

/// What a terminal shows: a grid, and where the cursor is.
///
/// Two are equal if they look the same.
package struct Picture: Equatable, Sendable {
  package var grid: Grid
  /// The cell of the cursor; `nil` if it is not shown.
  package var cursor: Position?
  /// The colors of the app.
  package var theme = Theme()
  /// Greater than that of every picture that was drawn before; 0 if that does not matter.
  package var number = 0
  /// The number of keys that were handled before it was drawn.
  package var keyCount = 0
  /// Whether something is still searched for, with the next keys or without any.
  package var isUnfinished = false
  /// The field that has the focus; `nil` if it is not in view or is not one.
  var echo: FieldEcho?

  /// A place in a grid.
  package struct Position: Hashable, Sendable {
    package let row: Int
    package let column: Int
  }

  package init(_ grid: Grid, cursor: Position? = nil) {
    self.grid = grid
    self.cursor = cursor
  }

  package static func == (first: Picture, second: Picture) -> Bool {
    first.grid == second.grid && first.cursor == second.cursor && first.theme == second.theme
  }

  /// Shows lines above the last row, over what is there.
  package mutating func overlay(_ lines: [String]) {
    let rows = grid.size.rows
    let lines = lines.suffix(max(rows - 1, 0))
    for (index, line) in lines.enumerated() {
      let row = rows - 1 - lines.count + index
      grid.clear(Area(rows: row..<row + 1, columns: 0..<grid.size.columns))
      grid.put(
        TextLayout.truncate(SafeText.line(line), to: grid.size.columns - 2), .warning, row: row,
        column: 1, in: grid.area)
    }
  }

  /// The text to write so that a terminal that shows `former` shows this picture; empty if it does.
  ///
  /// Without a former picture, or with one of another size or theme, everything is drawn. What is
  /// written is one synchronized update on terminals that have it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of cells.
  package func text(after former: Picture?, _ palette: Palette) -> String {
    guard former != self else { return "" }
    let isNew = former?.grid.size != grid.size || former?.theme != theme
    var writer = GridWriter(grid: grid, palette: palette, theme: theme)
    let body = writer.text(after: isNew ? nil : former?.grid)
    var text = "\u{1b}[?2026h"
    if !body.isEmpty, former?.cursor != nil || isNew { text += "\u{1b}[?25l" }
    text += body
    if let cursor { text += "\u{1b}[\(cursor.row + 1);\(cursor.column + 1)H\u{1b}[?25h" }
    if cursor == nil, former?.cursor != nil, body.isEmpty { text += "\u{1b}[?25l" }
    return text + "\u{1b}[?2026l"
  }
}

/// Writes the cells in which two grids differ.
private struct GridWriter {
  let grid: Grid
  let palette: Palette
  let theme: Theme
  var text = ""
  /// Where the terminal's cursor is; `nil` after characters whose width terminals disagree about.
  var cursor: (row: Int, column: Int)?
  var role = Role.plain
  /// The SGR parameters of the roles that were written: to find the nearest color takes a while.
  var codes: [Role: String] = [:]

  /// The text to write after a grid of the same size; `nil` clears the terminal first.
  mutating func text(after shown: Grid?) -> String {
    if shown == nil { text = "\u{1b}[0m\u{1b}[2J" }
    var former = shown ?? Grid(grid.size)
    let columns = grid.size.columns
    let changed = (0..<grid.size.rows).filter { grid.row($0) != former.row($0) }
    if changed.count > 3, let (rows, count) = shift(from: former, changed) {
      setRole(.plain)
      text += "\u{1b}[\(rows.lowerBound + 1);\(rows.upperBound)r"
      text += "\u{1b}[\(abs(count))\(count > 0 ? "S" : "T")\u{1b}[r"
      // Setting the region moves the cursor.
      cursor = nil
      former.scroll(rows, by: count)
    }
    for row in 0..<grid.size.rows {
      let (new, old) = (grid.row(row), former.row(row))
      guard new != old else { continue }
      let blankFrom = (new.lastIndex { !$0.isBlank }.map { $0 + 1 }) ?? 0
      var column = 0
      while column < columns {
        guard new[column] != old[column] else {
          column += 1
          continue
        }
        if column >= blankFrom, columns - column > 4 {
          move(to: row, column)
          setRole(.plain)
          text += "\u{1b}[K"
          break
        }
        // The second column of a wide character is drawn with the first.
        while column > 0, new[column].text.isEmpty { column -= 1 }
        column += put(new[column], row, column)
      }
    }
    setRole(.plain)
    return text
  }

  /// Draws a cell, and returns the number of its columns.
  private mutating func put(_ cell: Cell, _ row: Int, _ column: Int) -> Int {
    let next = column + 1
    let cells = grid.row(row)
    let isWide =
      next < grid.size.columns && cells[next].text.isEmpty
      && !cell.text.isEmpty
    move(to: row, column)
    setRole(cell.role)
    text += palette.text(cell, isWide: isWide)
    let width = isWide ? 2 : 1
    // At the edge terminals differ in where the cursor is, and so they do after emoji.
    let isCertain =
      column + width < grid.size.columns
      && (!palette.hasUnicode || cell.text.unicodeScalars.count == 1 && !isWide)
    cursor = isCertain ? (row, column + width) : nil
    return width
  }

  private mutating func move(to row: Int, _ column: Int) {
    if let cursor, cursor == (row, column) { return }
    if let cursor, cursor.row == row, column > cursor.column, column - cursor.column < 4 {
      // A few cells that are equal are shorter than a jump.
      let between = grid.row(row)[cursor.column..<column]
      if between.allSatisfy({ $0.role == role && $0.text.utf8.count == 1 }) {
        for cell in between { text += cell.text }
        self.cursor = (row, column)
        return
      }
    }
    text += "\u{1b}[\(row + 1);\(column + 1)H"
    cursor = (row, column)
  }

  private mutating func code(_ role: Role) -> String {
    if let code = codes[role] { return code }
    let code = palette.code(role, theme)
    codes[role] = code
    return code
  }

  private mutating func setRole(_ role: Role) {
    guard role != self.role else { return }
    let code = code(role)
    if code != self.code(self.role) {
      text += code.isEmpty ? "\u{1b}[0m" : "\u{1b}[0;\(code)m"
    }
    self.role = role
  }

  /// Rows whose content has moved up, or down by a negative number, as in a list that scrolls;
  /// `nil` if moving them would save little.
  ///
  /// The last column does not count, since that is where the scroll bar is.
  private func shift(from former: Grid, _ changed: [Int]) -> (rows: Range<Int>, by: Int)? {
    guard let first = changed.first, let last = changed.last else { return nil }
    func isMoved(_ row: Int, by count: Int) -> Bool {
      let source = row + count
      guard (first...last).contains(source) else { return false }
      return grid.row(row).dropLast() == former.row(source).dropLast()
    }
    for distance in 1...max(1, min(20, changed.count / 2)) {
      for count in [distance, -distance] {
        let runs = (first..<last + 1).indices(where: { isMoved($0, by: count) }).ranges
        let moved = runs.max { $0.count < $1.count } ?? 0..<0
        guard moved.count * 2 > changed.count, moved.count > distance else { continue }
        // Also the rows from which, and to which, they move.
        let rows =
          min(
            moved.lowerBound, moved.lowerBound + count)..<max(
            moved.upperBound, moved.upperBound + count)
        return (rows, count)
      }
    }
    return nil
  }
}
