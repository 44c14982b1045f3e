internal import Support

/// The rows at the end of a terminal that are redrawn in place: a screen, the output since then,
/// the line that is typed and the rows below it.
///
/// It remembers the rows it has drawn and the cursor's position relative to the first one, and
/// returns the text that turns them into new rows: only the differences. It never queries the
/// terminal.
///
/// If there are more rows than the terminal has, the last ones are shown, or those around the
/// cursor. Rows enter the terminal's scrollback when they are first printed and when output is
/// added permanently; updates in place never add to it.
package struct TerminalRegion: Sendable {
  private var size: TerminalSize
  /// The rows on the terminal, from the region's first visible row on.
  private var shown: [String] = []
  private var cursor = (row: 0, column: 0)
  private var scrolledOff = 0
  /// The rows in the scrollback, as they were printed.
  private var hiddenRows: [String] = []

  /// Creates an empty region at the beginning of the row where the cursor is.
  package init(size: TerminalSize) { self.size = size }

  /// Whether a row that is in the scrollback has changed since.
  package private(set) var isStaleAbove = false

  /// Returns the text to write so that `rows`, none wider than the terminal, are shown with the cursor
  /// in one of them.
  ///
  /// With `grows`, rows that no longer fit go into the scrollback.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the rows, old and new.
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
      // Write everything from the first visible row on; the terminal scrolls by itself.
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

  /// Returns the text to write to leave the region as it is, with the cursor on the row below it.
  package mutating func leave() -> String {
    var output = ""
    move(to: (max(shown.count - 1, 0), 0), &output)
    output += "\r\n"
    forget()
    return output
  }

  /// Returns the text to write to clear the terminal and begin at its top.
  package mutating func clear() -> String {
    forget()
    return "\u{1b}[H\u{1b}[2J"
  }

  /// Begins a new region at the cursor, for example after other output.
  package mutating func forget() { self = TerminalRegion(size: size) }

  /// Returns the text to write after a change of size: it erases the region, to be painted again.
  ///
  /// Most terminals rewrap rows that no longer fit, so that one row may take several. On terminals
  /// that truncate them, a few rows above the region are lost.
  package mutating func resize(_ new: TerminalSize) -> String {
    var above = 0
    for row in shown.prefix(cursor.row) {
      above += max((TerminalRows.width(row) + new.columns - 1) / new.columns, 1)
    }
    above += cursor.column / new.columns
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
      // Erase below the last remaining row; the erased rows stay available for later rows.
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
      let width = TerminalRows.width(row)
      // After a full row, "erase to the end" would erase its last character.
      output += width < size.columns ? row + "\u{1b}[K" : row
      return cursor = (index, width)
    }
    var width = 0
    var rest = row[...]
    var oldRest = old[...]
    while let character = rest.first, character == oldRest.first, character != "\u{1b}" {
      width += DisplayWidth.of(character)
      rest = rest.dropFirst()
      oldRest = oldRest.dropFirst()
    }
    // After the last column the cursor has a pending wrap, so rewrite the whole row.
    if width >= size.columns {
      rest = row[...]
      width = 0
    }
    move(to: (index, width), &output)
    output += rest
    let newWidth = width + TerminalRows.width(String(rest))
    if newWidth < size.columns, TerminalRows.width(old) > newWidth || old.utf8.contains(0x1b) {
      output += "\u{1b}[K"
    }
    cursor = (index, newWidth)
  }

  /// Moves the cursor, even to rows that are not written yet.
  private mutating func move(to target: (row: Int, column: Int), _ output: inout String) {
    let down = target.row - cursor.row
    if down < 0 {
      output += down == -1 ? "\u{1b}[A" : "\u{1b}[\(-down)A"
    } else if down > 0 {
      // A line feed scrolls at the bottom, but CSI B does not.
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

package struct TerminalSize: Hashable, Sendable {
  package let columns: Int
  package let rows: Int

  /// Creates a size; 0, for a terminal that reports none, becomes 80 by 24.
  package init(columns: Int, rows: Int) {
    self.columns = columns > 0 ? max(columns, 2) : 80
    self.rows = rows > 0 ? max(rows, 2) : 24
  }
}

/// Breaks printed lines into the rows that they take on a terminal.
package enum TerminalRows {
  /// The rows of lines, which may contain SGR sequences; no row is wider than `columns`.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  package static func of(_ lines: [String], columns: Int) -> [String] {
    var rows: [String] = []
    rows.reserveCapacity(lines.count)
    for line in lines.lazy.map(SafeText.styled) {
      // Fast path: most lines fit, and a line never has fewer bytes than columns.
      if line.utf8.count <= columns { rows.append(line) } else { add(line, columns, &rows) }
    }
    return rows
  }

  /// The width of a row in columns, without its escape sequences.
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

  private static func add(_ line: String, _ columns: Int, _ rows: inout [String]) {
    var row = ""
    var width = 0
    var style = ""
    var rest = line[...]
    while let character = rest.first {
      if character == "\u{1b}", let sequence = sequence(rest) {
        row += sequence
        // A reset ends the style; any other sequence becomes the style.
        style = sequence == "\u{1b}[0m" || sequence == "\u{1b}[m" ? "" : String(sequence)
        rest = rest[sequence.endIndex...]
        continue
      }
      let step = DisplayWidth.of(character)
      if width + step > columns {
        rows.append(style.isEmpty ? row : row + "\u{1b}[0m")
        row = style
        width = 0
      }
      row.append(character)
      width += step
      rest = rest.dropFirst()
    }
    rows.append(row)
  }

  /// The SGR sequence at the start of the text; `nil` if there is none.
  private static func sequence(_ text: Substring) -> Substring? {
    guard let end = text.firstIndex(of: "m") else { return nil }
    let sequence = text[...end]
    let isPlain = sequence.dropFirst().dropLast().allSatisfy {
      $0 == "[" || $0 == ";" || ("0"..."9").contains($0)
    }
    return isPlain ? sequence : nil
  }
}
