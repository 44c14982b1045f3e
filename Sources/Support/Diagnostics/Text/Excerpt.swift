/// A source line as a terminal can show it, and the caret line that goes below it.
package struct Excerpt {
  /// The line, without control characters, and shortened if it is very long.
  package private(set) var text = ""

  /// White space and a caret; tabs are kept, so that the caret fits whatever the width of tabs.
  package private(set) var caret = ""

  /// Scalars kept on either side of the caret in a long line.
  private static let reach = 60

  /// Creates the excerpt with the caret below a byte of the line.
  ///
  /// - Complexity: O(1), because only a part of a long line is shown.
  package init(line: ArraySlice<UInt8>, marked: Int) {
    var first = line.startIndex
    var last = line.endIndex
    if line.count > 4 * Self.reach {
      first = Self.offset(from: marked, by: -Self.reach, in: line)
      last = Self.offset(from: marked, by: Self.reach, in: line)
    }
    if first > line.startIndex {
      text = "…"
      caret = " "
    }
    // Decoded in two parts, so that a character begins at the mark even within a grapheme.
    let before = String(decoding: line[first..<marked], as: UTF8.self)
    for character in before.map(Self.printable) {
      text.append(character)
      caret += character == "\t" ? "\t" : String(repeating: " ", count: DisplayWidth.of(character))
    }
    let after = String(decoding: line[marked..<last], as: UTF8.self)
    text += String(after.map(Self.printable))
    if last < line.endIndex { text += "…" }
    caret += "^"
  }

  /// The offset of the byte that is `distance` scalars after `start`, or before it if negative.
  private static func offset(
    from start: Int, by distance: Int, in line: ArraySlice<UInt8>
  ) -> Int {
    var offset = start
    for _ in 0..<abs(distance) {
      if distance > 0 {
        guard offset < line.endIndex else { break }
        offset += 1
        while offset < line.endIndex, UTF8Text.isContinuation(line[offset]) { offset += 1 }
      } else {
        guard offset > line.startIndex else { break }
        offset -= 1
        while offset > line.startIndex, UTF8Text.isContinuation(line[offset]) { offset -= 1 }
      }
    }
    return offset
  }

  private static func printable(_ character: Character) -> Character {
    if character == "\t" { return character }
    return character.unicodeScalars.allSatisfy(Wording.isPrintable) ? character : "\u{FFFD}"
  }
}
