internal import Support

/// The rows at the end of a terminal that are redrawn in place: a screen, what was said since, the
/// line that is typed and what is below it.
///
/// It knows what it has drawn and where the cursor is, relative to its first row, and gives what
/// must be written to come to other rows: only what differs. It asks the terminal nothing.
///
/// Where there are more rows than the terminal has, the last ones show, or those around the cursor.
/// Rows go into the terminal's scrollback when they are printed for the first time and when
/// something is added for good; updates in place put nothing there, however often they come.
package struct TerminalRegion: Sendable {
  private var size: TerminalSize
  /// What is on the terminal from the region's first visible row on.
  private var shown: [String] = []
  private var cursor = (row: 0, column: 0)
  /// How many rows have gone into the scrollback.
  private var scrolledOff = 0
  /// Those rows, as they were then.
  private var hiddenRows: [String] = []

  /// Creates an empty region at the beginning of the row where the cursor is.
  package init(size: TerminalSize) { self.size = size }

  /// Whether a row that left the terminal is another one now.
  package private(set) var isStaleAbove = false

  /// What to write so that `rows` show, with the cursor in one of them.
  ///
  /// - Parameters:
  ///   - rows: none wider than the terminal.
  ///   - cursor: a row of `rows` and a column in it, from 0.
  ///   - grows: whether rows that have no room any more go into the scrollback.
  /// - Returns: the text to write, escape sequences included.
  /// - Complexity: linear in the rows.
  package mutating func paint(
    _ rows: [String], cursor: (row: Int, column: Int), grows: Bool = false
  ) -> String {
    let height = size.rows
    var output = ""
    let isNew = shown.isEmpty && scrolledOff == 0
    scrolledOff = min(scrolledOff, rows.count)
    hiddenRows.removeLast(hiddenRows.count - scrolledOff)
    isStaleAbove = !rows.prefix(scrolledOff).elementsEqual(hiddenRows)
    var start = max(rows.count - height, 0)
    if grows || isNew, rows.count - scrolledOff > height {
      // Everything from the first visible row on is written; the terminal scrolls by itself.
      write(rows[scrolledOff...], &output)
      shown.removeFirst(shown.count - height)
      self.cursor.row -= rows.count - scrolledOff - height
      hiddenRows += rows[scrolledOff..<start]
      scrolledOff = start
    }
    start = min(start, cursor.row)
    write(rows[start..<min(start + height, rows.count)], &output)
    move(to: (cursor.row - start, cursor.column), &output)
    return output
  }

  /// What to write to leave the region as it stands, with the cursor on the row below it.
  package mutating func leave() -> String {
    var output = ""
    move(to: (max(shown.count - 1, 0), 0), &output)
    output += "\r\n"
    forget()
    return output
  }

  /// What to write to take the region off the terminal.
  package mutating func erase() -> String {
    var output = ""
    move(to: (0, 0), &output)
    output += "\u{1b}[J"
    forget()
    return output
  }

  /// What to write to clear the terminal and begin at its top.
  package mutating func clear() -> String {
    forget()
    return "\u{1b}[H\u{1b}[2J"
  }

  /// Begins anew where the cursor is, as after somebody else has written.
  package mutating func forget() {
    shown = []
    cursor = (0, 0)
    scrolledOff = 0
    hiddenRows = []
    isStaleAbove = false
  }

  /// What to write when the terminal has another size: the region is taken off, to be painted anew.
  ///
  /// Most terminals wrap rows anew that no longer fit, so a row may take several; on those that cut
  /// them a few rows above the region are lost.
  package mutating func resize(_ new: TerminalSize) -> String {
    let columns = max(new.columns, 1)
    var above = 0
    for row in shown.prefix(cursor.row) {
      above += max((PlainText.width(row) + columns - 1) / columns, 1)
    }
    above += cursor.column / columns
    size = new
    forget()
    above = min(above, new.rows - 1)
    return (above > 0 ? "\u{1b}[\(above)A" : "") + "\r\u{1b}[J"
  }

  private mutating func write(_ new: ArraySlice<String>, _ output: inout String) {
    let rows = Array(new)
    let changed = rows.indices.filter { $0 >= shown.count || rows[$0] != shown[$0] }
    let isLarge = changed.count > 1
    if isLarge { output += "\u{1b}[?25l" }
    for index in changed {
      let old = index < shown.count ? shown[index] : nil
      rewrite(rows[index], old: old, at: index, &output)
    }
    if shown.count > rows.count {
      move(to: (max(rows.count - 1, 0), 0), &output)
      // Below the last row that stays; an erased row keeps its place for rows to come.
      if rows.isEmpty {
        output += "\u{1b}[J"
      } else {
        output += "\r\n\u{1b}[J\u{1b}[A"
      }
    }
    if isLarge { output += "\u{1b}[?25h" }
    shown = rows
  }

  /// Writes one row from the first column that differs.
  private mutating func rewrite(
    _ row: String, old: String?, at index: Int, _ output: inout String
  ) {
    guard let old else {
      move(to: (index, 0), &output)
      let width = PlainText.width(row)
      // Erasing after a full row would take its last character.
      output += width < size.columns ? row + "\u{1b}[K" : row
      return cursor = (index, width)
    }
    var same = ""
    var width = 0
    var rest = row[...]
    var oldRest = old[...]
    while let character = rest.first, character == oldRest.first, character != "\u{1b}" {
      same.append(character)
      width += DisplayWidth.of(character)
      rest = rest.dropFirst()
      oldRest = oldRest.dropFirst()
    }
    // In the last column the cursor waits to wrap; the row is begun before it.
    if width >= size.columns {
      rest = row[...]
      width = 0
    }
    move(to: (index, width), &output)
    output += rest
    let newWidth = width + PlainText.width(String(rest))
    if newWidth < size.columns, PlainText.width(old) > newWidth || old.utf8.contains(0x1b) {
      output += "\u{1b}[K"
    }
    cursor = (index, newWidth)
  }

  /// Moves the cursor, over rows that are not written yet too.
  private mutating func move(to target: (row: Int, column: Int), _ output: inout String) {
    let down = target.row - cursor.row
    if down < 0 {
      output += down == -1 ? "\u{1b}[A" : "\u{1b}[\(-down)A"
    } else if down > 0 {
      // A line feed scrolls at the bottom, and moving down does not.
      output += "\r" + String(repeating: "\n", count: down)
      cursor.column = 0
    }
    cursor.row = target.row
    guard target.column != cursor.column || cursor.column >= size.columns else { return }
    output += "\r"
    if target.column > 0 { output += "\u{1b}[\(target.column)C" }
    cursor.column = target.column
  }
}

/// How many columns and rows a terminal has.
package struct TerminalSize: Hashable, Sendable {
  package let columns: Int
  package let rows: Int

  /// Creates a size; a terminal that tells none is taken for 80 by 24.
  package init(columns: Int, rows: Int) {
    self.columns = columns > 0 ? max(columns, 2) : 80
    self.rows = rows > 0 ? max(rows, 2) : 24
  }
}

/// Text without its escape sequences.
enum PlainText {
  /// The columns that a row takes.
  static func width(_ row: String) -> Int {
    guard row.utf8.contains(0x1b) else { return DisplayWidth.of(row) }
    var width = 0
    var isSequence = false
    for character in row {
      if isSequence {
        isSequence = !(character.isASCII && character.isLetter)
      } else if character == "\u{1b}" {
        isSequence = true
      } else {
        width += DisplayWidth.of(character)
      }
    }
    return width
  }
}
