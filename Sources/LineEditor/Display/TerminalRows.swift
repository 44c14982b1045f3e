internal import Support

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
