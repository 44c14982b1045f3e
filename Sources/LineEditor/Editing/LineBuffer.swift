/// The line that is being edited, by grapheme, and where the cursor is in it.
struct LineBuffer: Hashable, Sendable {
  /// The graphemes; never a newline.
  private(set) var characters: [Character]
  /// How many graphemes are before the cursor.
  private(set) var cursor: Int
  private var isASCII: Bool

  /// How many graphemes a line holds at most; more are not taken.
  static let limit = 65_536

  /// Creates a buffer with the cursor at the end.
  init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
  }

  var text: String { String(characters) }
  /// What is before the cursor.
  var head: String { String(characters[..<cursor]) }
  var isEmpty: Bool { characters.isEmpty }
  var isAtEnd: Bool { cursor == characters.count }

  /// Inserts text at the cursor and goes behind it.
  ///
  /// What was there may join with it: a mark with the letter before it, an emoji with a joiner.
  ///
  /// - Returns: whether all of it had room.
  @discardableResult
  mutating func insert(_ text: String) -> Bool {
    let room = Self.limit - characters.count
    let added = Array(text.prefix(room))
    characters.insert(contentsOf: added, at: cursor)
    cursor += added.count
    if !added.allSatisfy(\.isASCII) { isASCII = false }
    segmentAgain()
    return added.count == text.count
  }

  /// Takes out a range of graphemes; the cursor stays where it was in the text.
  @discardableResult
  mutating func remove(_ range: Range<Int>) -> String {
    let range = range.clamped(to: 0..<characters.count)
    let removed = String(characters[range])
    characters.removeSubrange(range)
    if cursor >= range.upperBound {
      cursor -= range.count
    } else if cursor > range.lowerBound {
      cursor = range.lowerBound
    }
    segmentAgain()
    return removed
  }

  /// Puts the cursor after that many graphemes, or as near as the line allows.
  mutating func move(to position: Int) { cursor = min(max(position, 0), characters.count) }

  /// Replaces all, and puts the cursor at the end.
  mutating func replace(_ text: String) { self = LineBuffer(String(text.prefix(Self.limit))) }

  /// Exchanges the graphemes around the cursor, or the last two at the end.
  ///
  /// - Returns: whether there are two.
  mutating func transpose() -> Bool {
    guard characters.count > 1, cursor > 0 else { return false }
    let right = min(cursor, characters.count - 1)
    characters.swapAt(right - 1, right)
    cursor = right + 1
    segmentAgain()
    return true
  }

  /// Finds the graphemes anew where neighbours may have joined or parted; the cursor goes to the
  /// end of the grapheme that it came to be in.
  private mutating func segmentAgain() {
    guard !isASCII else { return }
    let offset = characters[..<cursor].reduce(0) { $0 + $1.utf8.count }
    characters = Array(String(characters))
    var length = 0
    cursor = 0
    while length < offset, cursor < characters.count {
      length += characters[cursor].utf8.count
      cursor += 1
    }
  }
}

extension LineBuffer {
  /// Where the word before the cursor begins; words are letters, digits and `_`.
  var wordStart: Int {
    var position = cursor
    while position > 0, !Self.isWord(characters[position - 1]) { position -= 1 }
    while position > 0, Self.isWord(characters[position - 1]) { position -= 1 }
    return position
  }

  /// Where the word after the cursor ends.
  var wordEnd: Int {
    var position = cursor
    while position < characters.count, !Self.isWord(characters[position]) { position += 1 }
    while position < characters.count, Self.isWord(characters[position]) { position += 1 }
    return position
  }

  /// Where what is between spaces before the cursor begins: what Ctrl-W takes.
  var spacedWordStart: Int {
    var position = cursor
    while position > 0, characters[position - 1].isWhitespace { position -= 1 }
    while position > 0, !characters[position - 1].isWhitespace { position -= 1 }
    return position
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
