internal import Support

/// Lays text out in rows of a terminal, by grapheme, and finds where the cursor stands.
///
/// A wide grapheme that has no room at the end of a row goes to the next one, as terminals do it.
struct LineLayout {
  private(set) var rows: [String] = []
  private(set) var cursor = (row: 0, column: 0)
  /// The column after what was laid out last.
  private(set) var column = 0

  private let columns: Int
  private var row = ""
  private var style = ""

  /// Begins with an empty row of so many columns.
  init(columns: Int) { self.columns = max(columns, 2) }

  /// How many columns the current row has left.
  var room: Int { columns - column }

  /// Adds text, dressed up by the parameters of an SGR sequence; none for plain text.
  mutating func add(_ text: some Sequence<Character>, style: String = "") {
    setStyle(style)
    for character in text { add(character) }
    setStyle("")
  }

  /// Notes that the cursor is here; at the end of a full row it is at the beginning of the next.
  mutating func markCursor() {
    if column >= columns { breakRow() }
    cursor = (rows.count, column)
  }

  /// Notes that the cursor is where the next character will be.
  mutating func markCursor(before next: Character) {
    if column + DisplayWidth.of(Self.shown(next)) > columns { breakRow() }
    markCursor()
  }

  /// The rows, the last one included.
  mutating func finish() -> [String] { rows + [row] }

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

  /// What stands for a character on the screen: control characters get pictures.
  private static func shown(_ character: Character) -> String {
    if character == "\t" { return "␉" }
    guard character.unicodeScalars.contains(where: SafeText.isHazard) else {
      // A mark with nothing before it would hang on what stands to its left.
      return DisplayWidth.of(character) == 0 && !character.unicodeScalars.isEmpty
        && character.unicodeScalars.first?.properties.generalCategory != .format
        ? "\u{25cc}" + String(character) : String(character)
    }
    return SafeText.line(String(character))
  }
}
