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
    var isIndent = true
    for character in text {
      let isSpace = character == " "
      let isWide = !isSpace && DisplayWidth.of(character) == 2
      if !isSpace, !piece.isEmpty, !isIndent, endsWithSpace || isWide || endsWide(piece) {
        pieces.append(piece)
        piece = ""
      }
      piece.append(character)
      if !isSpace { isIndent = false }
      endsWithSpace = isSpace
    }
    if !piece.isEmpty { pieces.append(piece) }
    return pieces
  }

  private static func endsWide(_ piece: String) -> Bool {
    piece.last.map { DisplayWidth.of($0) == 2 } ?? false
  }

  private static func trimmedEnd(_ text: String) -> String {
    guard text.utf8.last == 0x20 else { return text }
    var text = text[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
