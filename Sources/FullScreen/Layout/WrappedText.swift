internal import Support

/// A text of several lines as a field shows it: rows that are broken between words, where there is
/// room for the cursor after the last character.
struct WrappedText {
  /// The characters of each row, without the newline that ends it.
  private(set) var rows: [Range<Int>] = []
  private var shown: [String] = []
  private var widths: [Int] = []

  /// Breaks a text, in O(*n*).
  init(_ text: String, columns: Int) {
    let limit = max(columns - 1, 1)
    var (start, width) = (0, 0)
    // The place after the last space of the row.
    var opening: Int?
    for (index, character) in text.enumerated() {
      let (piece, own) = character.isNewline ? ("", 0) : Self.shown(character)
      shown.append(piece)
      widths.append(own)
      if character.isNewline {
        rows.append(start..<index)
        (start, width, opening) = (index + 1, 0, nil)
        continue
      }
      // Spaces at the end of a row are beyond it, as in a book.
      if character != " ", width + own > limit, index > start {
        let end = opening ?? index
        rows.append(start..<end)
        (start, width, opening) = (end, widths[end..<index].reduce(0, +), nil)
      }
      width += own
      if character == " " { opening = index + 1 }
    }
    rows.append(start..<widths.count)
  }

  /// The rows as they are drawn, without spaces at their ends.
  var lines: [String] {
    rows.map { row in
      let end = shown[row].lastIndex { $0 != " " } ?? row.lowerBound - 1
      return shown[row.lowerBound..<end + 1].joined()
    }
  }

  /// The place of the character with an index, or of the end.
  func place(of index: Int) -> Picture.Position {
    let row = rows.lastIndex { $0.lowerBound <= index } ?? 0
    return Picture.Position(
      row: row, column: widths[rows[row].lowerBound..<index].reduce(0, +))
  }

  /// The index of the character in a row that is nearest to a column.
  func index(row: Int, column: Int) -> Int {
    let range = rows[row]
    // The place after a row that is broken is the beginning of the next one.
    let isBroken = row + 1 < rows.count && rows[row + 1].lowerBound == range.upperBound
    let last = isBroken ? range.upperBound - 1 : range.upperBound
    var (index, width) = (range.lowerBound, 0)
    while index < last, width + widths[index] <= column {
      width += widths[index]
      index += 1
    }
    return index
  }

  /// A character as it is drawn, with its width.
  static func shown(_ character: Character) -> (text: String, width: Int) {
    if let ascii = character.asciiValue, (0x20..<0x7f).contains(ascii) {
      return (Cell.ascii[Int(ascii)], 1)
    }
    let text = SafeText.character(character)
    let width = DisplayWidth.of(text)
    return width == 0 ? ("\u{25cc}" + text, 1) : (text, width)
  }
}
