internal import Support

/// Breaks printed lines into the rows that they take on a terminal.
package enum TerminalRows {
  /// The rows of lines that may hold SGR sequences; no row is wider than `columns`.
  ///
  /// - Complexity: linear in the text.
  package static func of(_ lines: [String], columns: Int) -> [String] {
    var rows: [String] = []
    rows.reserveCapacity(lines.count)
    for line in lines {
      // Nearly every line fits, and a line has no fewer bytes than columns.
      if line.utf8.count <= columns { rows.append(line) } else { add(line, columns, &rows) }
    }
    return rows
  }

  private static func add(_ line: String, _ columns: Int, _ rows: inout [String]) {
    var row = ""
    var width = 0
    var style = ""
    var rest = line[...]
    while let character = rest.first {
      if character == "\u{1b}", let sequence = sequence(rest) {
        row += sequence
        // A reset ends the style; anything else becomes it.
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

  /// The SGR sequence that the text begins with.
  private static func sequence(_ text: Substring) -> Substring? {
    guard let end = text.firstIndex(of: "m") else { return nil }
    let sequence = text[...end]
    let isPlain = sequence.dropFirst().dropLast().allSatisfy {
      $0 == "[" || $0 == ";" || ("0"..."9").contains($0)
    }
    return isPlain ? sequence : nil
  }
}
