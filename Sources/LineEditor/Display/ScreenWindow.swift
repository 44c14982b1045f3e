internal import Support

/// The rows of a screen that a terminal shows if the screen is longer than the window.
///
/// The title stays at the top. Below it is the part around what has changed, with a row above and
/// below it that says how much is hidden there.
package struct ScreenWindow: Sendable {
  package private(set) var content = ScreenRows()
  /// Whether the screen is shown as a whole, however long it is.
  package var isWhole = false
  /// The number of rows after the header that are hidden above the part that is shown.
  private var start = 0
  /// Diffing longer screens would take too long.
  private static let longestDiff = 2000

  package init() {}

  /// Shows a screen in `height` rows.
  ///
  /// If it is the answer to a line, the part that has changed is shown; else the window moves only if
  /// the last control's own rows have changed.
  package mutating func show(_ new: ScreenRows, height: Int, isAnswer: Bool) {
    let old = content
    content = new
    if isAnswer { isWhole = false }
    guard new.owner == old.owner else { return start = 0 }
    if let focus = new.focus {
      let isChanged = old.focus.map { old.rows[$0] != new.rows[focus] } ?? true
      if isAnswer || isChanged { bring(focus, height, toEnd: true) }
    } else if isAnswer, let changed = Self.changedRows(from: old.rows, to: new.rows) {
      bring(changed, height, toEnd: false)
    }
    start = clamped(start, height)
  }

  /// Moves the window by its height.
  ///
  /// - Returns: whether it has moved.
  @discardableResult
  package mutating func scroll(back: Bool, height: Int) -> Bool {
    guard isCut(height) else { return false }
    let step = max(visible(height).count - 1, 1)
    let target = clamped(start + (back ? -step : step), height)
    defer { start = target }
    return target != start
  }

  /// The rows to show, no more than `height` unless ``isWhole``.
  package func rows(height: Int, columns: Int) -> [String] {
    guard isCut(height) else { return content.rows }
    let header = headerCount(height)
    let visible = visible(height)
    var rows = Array(content.rows[..<header])
    if visible.lowerBound > header {
      rows.append(note("↑", header..<visible.lowerBound, "above", "PageUp", columns))
    }
    rows += content.rows[visible]
    if visible.upperBound < content.rows.count {
      let keys = "PageDown, or Ctrl-L for all"
      rows.append(
        note("↓", visible.upperBound..<content.rows.count, "below", keys, columns))
    }
    return rows
  }

  private func note(
    _ arrow: String, _ hidden: Range<Int>, _ place: String, _ keys: String, _ columns: Int
  ) -> String {
    let lines = hidden.count == 1 ? "1 line" : "\(hidden.count) lines"
    let controls = content.controls.filter { $0.rows.overlaps(hidden) }
    var text = "\(arrow) \(lines) \(place)"
    if let first = controls.first?.numbers.lowerBound, let last = controls.last?.numbers.upperBound
    {
      text += first == last ? ", with [\(first)]" : ", with [\(first)] to [\(last)]"
    }
    return TextLayout.truncate(text + ": " + keys, to: columns - 1)
  }

  private func isCut(_ height: Int) -> Bool { !isWhole && content.rows.count > height }

  /// The number of rows that stay at the top: the header, unless the window is too low for it.
  private func headerCount(_ height: Int) -> Int {
    min(content.headerCount, content.rows.count, max(height / 3, 1))
  }

  /// The rows that are shown below the header, of a screen that is cut.
  private func visible(_ height: Int) -> Range<Int> {
    let header = headerCount(height)
    let room = max(height - header - (start > 0 ? 1 : 0), 2)
    let first = min(header + start, content.rows.count)
    let isLast = content.rows.count - first <= room
    return first..<(isLast ? content.rows.count : first + room - 1)
  }

  /// The nearest position at which the window is full; one hidden row above would need a row itself.
  private func clamped(_ position: Int, _ height: Int) -> Int {
    let header = headerCount(height)
    let last = content.rows.count - header - max(height - header - 1, 1)
    let position = min(max(position, 0), max(last, 0))
    return position == 1 ? 0 : position
  }

  /// Moves the window so that it shows these rows, if it does not.
  ///
  /// Of rows that are too many the beginning is shown, or the end: a field's problem is below its
  /// value.
  private mutating func bring(_ rows: Range<Int>, _ height: Int, toEnd: Bool) {
    start = clamped(start, height)
    guard isCut(height), rows.upperBound > headerCount(height) else { return }
    let shown = visible(height)
    if shown.lowerBound <= rows.lowerBound, rows.upperBound <= shown.upperBound { return }
    let header = headerCount(height)
    let room = max(height - header - 2, 1)
    let spare = room - rows.count
    let first =
      spare >= 0
      ? rows.lowerBound - spare / 2 : toEnd ? rows.upperBound - room : rows.lowerBound
    start = clamped(first - header, height)
  }

  /// The longest run of rows that are new; `nil` if there are none.
  private static func changedRows(from old: [String], to new: [String]) -> Range<Int>? {
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let rest = min(old.count, new.count) - prefix
    let suffix = zip(old.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
    let (before, after) = (prefix..<old.count - suffix, prefix..<new.count - suffix)
    guard !after.isEmpty else { return nil }
    guard before.count + after.count <= longestDiff else { return after }
    var inserted = RangeSet<Int>()
    for case .insert(let offset, _, _) in new[after].difference(from: old[before]) {
      inserted.insert(contentsOf: prefix + offset..<prefix + offset + 1)
    }
    return inserted.ranges.max { $0.count < $1.count }
  }
}

package struct ScreenRows: Sendable {
  /// The identity of what is shown; the window begins at the top of another one.
  package var owner = ""
  package var rows: [String] = []
  /// The number of rows of the title, the tabs and the notices.
  package var headerCount = 0
  /// The controls, from top to bottom: their numbers, and their rows.
  package var controls: [(numbers: ClosedRange<Int>, rows: Range<Int>)] = []
  /// The rows of the control to which a value was given last; `nil` if there is none.
  package var focus: Range<Int>?

  package init() {}
}

/// Lays text out in rows of a terminal, by grapheme, and finds the position of the cursor.
///
/// A wide grapheme that does not fit at the end of a row moves to the next row, as on terminals.
struct LineLayout {
  private(set) var rows: [String] = []
  private(set) var cursor = (row: 0, column: 0)
  /// The column after the last grapheme.
  private(set) var column = 0
  private let columns: Int
  private var row = ""
  private var style = ""

  /// Creates a layout with one empty row.
  init(columns: Int) { self.columns = max(columns, 2) }

  /// The number of columns that are left in the current row.
  var room: Int { columns - column }

  /// Adds text; `style` is the parameters of an SGR sequence, empty for plain text.
  mutating func add(_ text: some Sequence<Character>, style: String = "") {
    setStyle(style)
    for character in text { add(character) }
    setStyle("")
  }

  /// Puts the cursor at the current position; after a full row that is the start of the next row.
  mutating func markCursor() {
    if column >= columns { breakRow() }
    cursor = (rows.count, column)
  }

  /// Puts the cursor at the position that the next character will have.
  mutating func markCursor(before next: Character) {
    if column + DisplayWidth.of(Self.shown(next)) > columns { breakRow() }
    markCursor()
  }

  /// All rows, including the one that is not full.
  func finish() -> [String] { rows + [row] }

  private mutating func add(_ character: Character) {
    let shown = Self.shown(character)
    let width = DisplayWidth.of(shown)
    if shown.count > 1, width > 1, DisplayWidth.of(character) == 0 || width > 2 {
      for part in shown { put(String(part), DisplayWidth.of(part)) }
    } else {
      put(shown, width)
    }
  }

  private mutating func put(_ text: String, _ width: Int) {
    if column + width > columns { breakRow() }
    row += text
    column += width
  }

  private mutating func breakRow() {
    let current = style
    setStyle("")
    rows.append(row)
    row = ""
    column = 0
    setStyle(current)
  }

  private mutating func setStyle(_ style: String) {
    guard style != self.style else { return }
    if !self.style.isEmpty { row += "\u{1b}[0m" }
    if !style.isEmpty { row += "\u{1b}[\(style)m" }
    self.style = style
  }

  /// The text that is shown for a character: control characters are replaced by symbols.
  private static func shown(_ character: Character) -> String {
    if character == "\t" { return "␉" }
    let text = SafeText.character(character)
    guard text == String(character) else { return text }
    // A combining mark without a base gets a dotted circle, or it would join the text before it.
    return DisplayWidth.of(character) == 0 && !character.unicodeScalars.isEmpty
      && character.unicodeScalars.first?.properties.generalCategory != .format
      ? "\u{25cc}" + text : text
  }
}
