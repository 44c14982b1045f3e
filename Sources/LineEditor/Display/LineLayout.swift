internal import Support

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
    guard SafeText.line(String(character)) != String(character) else {
      // A combining mark without a base gets a dotted circle, or it would join the text before it.
      return DisplayWidth.of(character) == 0 && !character.unicodeScalars.isEmpty
        && character.unicodeScalars.first?.properties.generalCategory != .format
        ? "\u{25cc}" + String(character) : String(character)
    }
    return SafeText.line(String(character))
  }
}
