/// A small emulator of a VT-compatible terminal, whose screen tests compare with what a user should
/// see.
///
/// After a character in the last column, the line wraps only when the next character is written.
/// Sequences that the emulator does not support are recorded in ``unknown``, which a test should
/// expect to be empty.
package struct TerminalModel: Sendable {
  package private(set) var columns: Int
  package private(set) var rows: Int
  /// The position of the cursor, counted from 0.
  package private(set) var cursor = (row: 0, column: 0)
  /// The rows that have scrolled off the top.
  package private(set) var scrollback: [String] = []
  package private(set) var isCursorVisible = true
  /// Whether bracketed paste is on.
  package private(set) var marksPastes = false
  /// Whether the alternate screen is shown, and whether the mouse is reported.
  package private(set) var isAlternate = false
  package private(set) var reportsMouse = false
  /// The sequences that the emulator does not support.
  package private(set) var unknown: [String] = []
  /// The number of bytes written so far.
  package private(set) var written = 0
  private var grid: [[Cell]]
  private var waitsToWrap = false
  /// The rows that scroll.
  private var region: Range<Int>
  /// The usual screen while the alternate one is shown.
  private var usual: (grid: [[Cell]], cursor: (row: Int, column: Int))?
  /// The current attributes, as SGR parameters.
  private var attributes = ""
  /// The incomplete escape sequence.
  private var pending: [Unicode.Scalar] = []
  /// The bytes of the incomplete character.
  private var bytes: [UInt8] = []

  private struct Cell: Equatable {
    /// The character; empty in the second column of a wide one.
    var text = " "
    var attributes = ""
  }

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    region = 0..<rows
    grid = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  /// The rows as text, without trailing spaces.
  package var screen: [String] {
    grid.map { row in
      var text = row.map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// The text of the rows up to the last one that is not blank.
  package var text: String {
    var lines = screen
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// The text of the row with the cursor.
  package var line: String { screen[cursor.row] }

  /// The characters of a row that have exactly these attributes, given as SGR parameters.
  package func text(in row: Int, with attributes: String) -> String {
    grid[row].filter { $0.attributes == attributes }.map(\.text).joined()
  }

  /// The texts of a row with their columns and attributes, as SGR parameters; without spaces at the
  /// end.
  package func spans(of row: Int) -> [(column: Int, text: String, attributes: String)] {
    var spans: [(column: Int, text: String, attributes: String)] = []
    let end = grid[row].lastIndex { $0.text != " " || !$0.attributes.isEmpty } ?? -1
    for (column, cell) in grid[row].prefix(end + 1).enumerated() {
      if let last = spans.last, last.attributes == cell.attributes {
        spans[spans.count - 1].text += cell.text
      } else {
        spans.append((column, cell.text, cell.attributes))
      }
    }
    return spans
  }

  package mutating func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes UTF-8; an incomplete character at the end is kept until the next write.
  package mutating func write(_ new: [UInt8]) {
    written += new.count
    bytes += new
    var end = bytes.count
    // An incomplete character has at most three bytes.
    for back in 1...4 where back <= bytes.count {
      let byte = bytes[bytes.count - back]
      if byte & 0xc0 == 0x80 { continue }
      let length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
      if length > back { end = bytes.count - back }
      break
    }
    let text = String(decoding: bytes[..<end], as: UTF8.self)
    bytes.removeFirst(end)
    for scalar in text.unicodeScalars { put(scalar) }
  }

  /// Resizes the terminal.
  ///
  /// Rows that are too long are rewrapped, as in most terminals, and the cursor stays at its
  /// character.
  package mutating func resize(columns newColumns: Int, rows newRows: Int) {
    var lines: [[Cell]] = []
    var place = (row: 0, column: 0)
    var last = cursor.row
    for (index, row) in grid.enumerated() where row.contains(where: { $0.text != " " }) {
      last = max(last, index)
    }
    for (index, row) in grid.prefix(last + 1).enumerated() {
      var cells = row[...]
      while cells.last?.text == " ", cells.count > (index == cursor.row ? cursor.column : 0) {
        cells.removeLast()
      }
      if index == cursor.row { place = (lines.count, cursor.column) }
      repeat {
        lines.append(Array(cells.prefix(newColumns)))
        cells = cells.dropFirst(newColumns)
      } while !cells.isEmpty
    }
    place = (place.row + place.column / newColumns, place.column % newColumns)
    while lines.count <= place.row { lines.append([]) }
    while lines.count > newRows {
      scrollback.append(lines.removeFirst().map(\.text).joined())
      place.row -= 1
    }
    (columns, rows) = (newColumns, newRows)
    region = 0..<newRows
    grid = lines.map { $0 + Array(repeating: Cell(), count: newColumns - $0.count) }
    while grid.count < newRows { grid.append(Array(repeating: Cell(), count: newColumns)) }
    cursor = (max(place.row, 0), place.column)
    waitsToWrap = false
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    if !pending.isEmpty { return collect(scalar) }
    switch scalar.value {
    case 0x1b: pending = [scalar]
    case 0x0d:
      cursor.column = 0
      waitsToWrap = false
    case 0x0a: lineFeed()
    case 0x08:
      cursor.column = max(cursor.column - 1, 0)
      waitsToWrap = false
    case 0x07: break
    case 0..<0x20, 0x7f: unknown.append("\\x" + String(scalar.value, radix: 16))
    default: show(scalar)
    }
  }

  private mutating func collect(_ scalar: Unicode.Scalar) {
    pending.append(scalar)
    guard pending.count > 2 || scalar != "[" else { return }
    guard pending[1] == "[" else {
      unknown.append("ESC \(scalar)")
      pending = []
      return
    }
    guard (0x40...0x7e).contains(scalar.value) else { return }
    let parameters = String(String.UnicodeScalarView(pending.dropFirst(2).dropLast()))
    pending = []
    carryOut(Character(scalar), parameters)
  }

  private mutating func carryOut(_ final: Character, _ parameters: String) {
    let count = max(Int(parameters) ?? 1, 1)
    switch (final, parameters) {
    case ("A", _): cursor.row = max(cursor.row - count, 0)
    case ("C", _): cursor.column = min(cursor.column + count, columns - 1)
    case ("D", _): cursor.column = max(cursor.column - count, 0)
    case ("H", _):
      let place = parameters.split(separator: ";").compactMap { Int($0) } + [1, 1]
      cursor = (min(max(place[0], 1), rows) - 1, min(max(place[1], 1), columns) - 1)
    case ("r", _):
      let edges = parameters.split(separator: ";").compactMap { Int($0) }
      region = edges.count == 2 ? edges[0] - 1..<min(edges[1], rows) : 0..<rows
      cursor = (0, 0)
    case ("S", _), ("T", _):
      for _ in 0..<min(count, region.count) {
        if final == "S" {
          grid.remove(at: region.lowerBound)
          grid.insert(Array(repeating: Cell(), count: columns), at: region.upperBound - 1)
        } else {
          grid.remove(at: region.upperBound - 1)
          grid.insert(Array(repeating: Cell(), count: columns), at: region.lowerBound)
        }
      }
    case ("J", ""):
      erase(cursor.row, from: cursor.column)
      for row in grid.indices.dropFirst(cursor.row + 1) { erase(row, from: 0) }
    case ("J", "2"): for row in grid.indices { erase(row, from: 0) }
    case ("K", ""): erase(cursor.row, from: cursor.column)
    case ("K", "2"): erase(cursor.row, from: 0)
    case ("m", _): attributes = parameters == "0" ? "" : parameters
    case ("h", "?25"): isCursorVisible = true
    case ("l", "?25"): isCursorVisible = false
    case ("h", "?2004"): marksPastes = true
    case ("l", "?2004"): marksPastes = false
    case ("h", "?1049") where usual == nil:
      usual = (grid, cursor)
      grid = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
      isAlternate = true
    case ("l", "?1049"):
      if let usual, usual.grid.count == rows, usual.grid[0].count == columns { grid = usual.grid }
      cursor = usual?.cursor ?? cursor
      (usual, isAlternate) = (nil, false)
    case ("h", "?1000"), ("l", "?1000"): reportsMouse = final == "h"
    case ("h", "?1006"), ("l", "?1006"), ("h", "?2026"), ("l", "?2026"): break
    default: unknown.append("ESC [ \(parameters) \(final)")
    }
    if "ACDHJKrST".contains(final) { waitsToWrap = false }
  }

  private mutating func erase(_ row: Int, from column: Int) {
    for index in column..<columns { grid[row][index] = Cell() }
  }

  private mutating func lineFeed() {
    waitsToWrap = false
    guard cursor.row == rows - 1 else { return cursor.row += 1 }
    scrollback.append(screen[0])
    grid.removeFirst()
    grid.append(Array(repeating: Cell(), count: columns))
  }

  private mutating func show(_ scalar: Unicode.Scalar) {
    let joins = previousJoins
    let width = joins ? 0 : Self.width(scalar)
    if width == 0 {
      // A combining mark, or a scalar that a joiner joins to the previous character.
      let column = waitsToWrap ? columns - 1 : cursor.column - 1
      guard column >= 0 else { return unknown.append("a mark without a letter") }
      let base = grid[cursor.row][column].text.isEmpty ? column - 1 : column
      if base >= 0 { grid[cursor.row][base].text.unicodeScalars.append(scalar) }
      return
    }
    if waitsToWrap || cursor.column + width > columns {
      cursor.column = 0
      lineFeed()
    }
    grid[cursor.row][cursor.column] = Cell(
      text: String(Character(scalar)), attributes: attributes)
    if width == 2 {
      grid[cursor.row][cursor.column + 1] = Cell(text: "", attributes: attributes)
    }
    cursor.column += width
    if cursor.column == columns {
      cursor.column = columns - 1
      waitsToWrap = true
    }
  }

  /// Whether the character before the cursor ends with a joiner.
  private var previousJoins: Bool {
    let column = waitsToWrap ? columns - 1 : cursor.column - 1
    guard column >= 0 else { return false }
    let text = grid[cursor.row][column].text
    let base = text.isEmpty && column > 0 ? grid[cursor.row][column - 1].text : text
    return base.unicodeScalars.last == "\u{200d}"
  }

  /// The width of a scalar, in columns, for the characters that tests write.
  ///
  /// It is deliberately independent of the code under test.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300...0x36f, 0x200b...0x200d, 0xfe0f, 0x1f3fb...0x1f3ff: 0
    case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xff01...0xff60, 0x1f300...0x1faff: 2
    default: 1
    }
  }
}
