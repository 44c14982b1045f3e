/// Fits text to a width; no grapheme is ever cut.
///
/// The text must be safe to print, see ``SafeText``.
public enum TextLayout {
  /// `text` in at most `width` columns; the part that doesn't fit is replaced by `…`.
  public static func truncate(_ text: String, to width: Int) -> String {
    if DisplayWidth.of(text) <= width { return text }
    guard width > 0 else { return "" }
    var result = ""
    var used = 0
    for character in text {
      let columns = DisplayWidth.of(character)
      if used + columns > width - 1 { break }
      result.append(character)
      used += columns
    }
    return result + "…"
  }

  /// The columns of a table are not made narrower than this.
  private static let leastColumn = 6

  /// The width of each column of a table, two spaces between them; `nil` if they can't all be shown
  /// in `width` columns.
  ///
  /// Columns are as wide as their widest cell; if that is too much, the widest columns shrink
  /// first.
  package static func columnWidths(_ titles: [String], _ cells: [[String]], width: Int) -> [Int]? {
    let natural = titles.indices.map { column in
      let cells = cells.map { column < $0.count ? DisplayWidth.of($0[column]) : 0 }
      return max(DisplayWidth.of(titles[column]), cells.max() ?? 0)
    }
    return columnWidths(natural, width: width)
  }

  /// The same for columns whose widest cells have these widths.
  package static func columnWidths(_ natural: [Int], width: Int) -> [Int]? {
    var widths = natural
    let available = width - 2 * (widths.count - 1)
    guard widths.reduce(0, { $0 + min($1, leastColumn) }) <= available else { return nil }
    var excess = widths.reduce(0, +) - available
    while excess > 0 {
      // The widest columns shrink together, down to the next narrower one.
      let top = widths.max() ?? 0
      let widest = widths.indices.filter { widths[$0] == top }
      let below = max(widths.filter { $0 < top }.max() ?? 0, leastColumn)
      let step = min(top - below, (excess + widest.count - 1) / widest.count)
      guard step > 0 else { return nil }
      for column in widest where excess > 0 {
        let cut = min(step, excess)
        widths[column] -= cut
        excess -= cut
      }
    }
    return widths
  }

  /// `text` padded with spaces to `width` columns, on the left if `trailing`; longer text stays as
  /// it is.
  public static func pad(_ text: String, to width: Int, trailing: Bool = false) -> String {
    let missing = width - DisplayWidth.of(text)
    guard missing > 0 else { return text }
    let spaces = String(repeating: " ", count: missing)
    return trailing ? spaces + text : text + spaces
  }

  /// The lines of `text`, none wider than `width` (except for a single grapheme that is).
  ///
  /// Lines are broken at `\n`, at spaces, between wide characters, and inside a word only if it is
  /// wider than a line. Spaces at the beginning of a line are kept; those at its end are dropped.
  public static func wrap(_ text: String, to width: Int) -> [String] {
    SafeText.lines(text).flatMap { wrapLine($0, to: max(width, 1)) }
  }

  private static func wrapLine(_ text: String, to width: Int) -> [String] {
    if DisplayWidth.of(text) <= width { return [trimmedEnd(text)] }
    var lines: [String] = []
    var line = ""
    var lineWidth = 0
    for piece in pieces(text) {
      let columns = DisplayWidth.of(trimmedEnd(piece))
      if lineWidth + columns > width, !line.isEmpty {
        lines.append(trimmedEnd(line))
        line = ""
        lineWidth = 0
      }
      guard columns > width else {
        line += piece
        lineWidth += DisplayWidth.of(piece)
        continue
      }
      for character in piece {
        let columns = DisplayWidth.of(character)
        if lineWidth + columns > width, !line.isEmpty {
          lines.append(trimmedEnd(line))
          line = ""
          lineWidth = 0
        }
        line.append(character)
        lineWidth += columns
      }
    }
    let last = trimmedEnd(line)
    if !last.isEmpty || lines.isEmpty { lines.append(last) }
    return lines
  }

  /// The words with the spaces after them; wide characters are words of their own.
  private static func pieces(_ text: String) -> [String] {
    var pieces: [String] = []
    var piece = ""
    var endsWithSpace = false
    var endsWide = false
    var isIndent = true
    for character in text {
      let isSpace = character == " "
      let isWide = !isSpace && DisplayWidth.of(character) == 2
      if !isSpace, !piece.isEmpty, !isIndent, endsWithSpace || isWide || endsWide {
        pieces.append(piece)
        piece = ""
      }
      piece.append(character)
      if !isSpace { isIndent = false }
      endsWithSpace = isSpace
      endsWide = isWide
    }
    if !piece.isEmpty { pieces.append(piece) }
    return pieces
  }

  /// `text` without the spaces at its end.
  static func trimmedEnd(_ text: String) -> String {
    guard text.utf8.last == 0x20 else { return text }
    var text = text[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
