/// The line that is being edited, as graphemes, with the cursor.
struct LineBuffer: Hashable, Sendable {
  /// The graphemes; a newline only in a field of several lines.
  private(set) var characters: [Character]
  private(set) var cursor: Int
  /// The UTF-8 offset at which text is inserted while it is inside the grapheme before the cursor;
  /// otherwise `nil`.
  ///
  /// A joiner that is typed before an emoji joins with it, but the next emoji belongs after the
  /// joiner.
  private var insertion: Int?
  /// Whether no two characters can join: all are ASCII, and none is a CR, which joins with an LF.
  private var neverJoins: Bool
  /// The maximum number of graphemes in a line; more are dropped.
  static let limit = 65_536

  /// Creates a buffer with the cursor at the end.
  init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
    neverJoins = Self.neverJoins(text.utf8)
  }

  private static func neverJoins(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\r") }
  }

  var text: String { String(characters) }
  var head: String { String(characters[..<cursor]) }
  var isEmpty: Bool { characters.isEmpty }
  var isAtEnd: Bool { cursor == characters.count }

  /// The beginning and the end of the line with the cursor, in a field of several lines.
  var lineStart: Int { characters[..<cursor].lastIndex { $0.isNewline }.map { $0 + 1 } ?? 0 }
  var lineEnd: Int { characters[cursor...].firstIndex { $0.isNewline } ?? characters.count }

  /// Inserts text at the cursor, and moves the cursor after it.
  ///
  /// The text may join with its neighbours: a combining mark with a letter, an emoji with a joiner.
  ///
  /// - Returns: whether all of it fitted.
  @discardableResult
  mutating func insert(_ text: String) -> Bool {
    // A text that was given may be longer than any that is typed.
    let added = text.prefix(max(Self.limit - characters.count, 0))
    let isWhole = added.endIndex == text.endIndex
    if let insertion {
      let whole = self.text
      let index = whole.utf8.index(whole.startIndex, offsetBy: insertion)
      segment(
        whole[..<index] + added + whole[index...], insertingAt: insertion + added.utf8.count)
      return isWhole
    }
    characters.insert(contentsOf: added, at: cursor)
    cursor += added.count
    if !Self.neverJoins(added.utf8) { neverJoins = false }
    segmentAgain()
    return isWhole
  }

  /// Removes the grapheme before the cursor, or the part of it that is before the next insertion.
  mutating func removeBackward() {
    guard cursor > 0 else { return }
    guard let insertion else { return _ = remove(cursor - 1..<cursor) }
    let start = characters[..<(cursor - 1)].reduce(0) { $0 + $1.utf8.count }
    var bytes = Array(text.utf8)
    bytes.removeSubrange(start..<insertion)
    segment(String(decoding: bytes, as: UTF8.self), insertingAt: start)
  }

  /// Removes a range of graphemes; the cursor stays at the same place in the text.
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

  /// Moves the cursor to a position, clamped to the line.
  mutating func move(to position: Int) {
    cursor = min(max(position, 0), characters.count)
    insertion = nil
  }

  /// Replaces the whole line, and puts the cursor at the end.
  mutating func replace(_ text: String) { self = LineBuffer(String(text.prefix(Self.limit))) }

  /// Exchanges the graphemes around the cursor, or the last two at the end.
  ///
  /// - Returns: whether there were two.
  mutating func transpose() -> Bool {
    guard characters.count > 1, cursor > 0 else { return false }
    let right = min(cursor, characters.count - 1)
    characters.swapAt(right - 1, right)
    cursor = right + 1
    segmentAgain()
    return true
  }

  /// Segments the line again, since neighbours may have joined or split.
  private mutating func segmentAgain() {
    insertion = nil
    guard !neverJoins else { return }
    segment(text, insertingAt: characters[..<cursor].reduce(0) { $0 + $1.utf8.count })
  }

  /// Replaces the line by `text`, with the cursor at a UTF-8 offset or, inside a grapheme, at its
  /// end.
  private mutating func segment(_ text: some StringProtocol, insertingAt offset: Int) {
    characters = Array(text)
    var length = 0
    cursor = 0
    while length < offset, cursor < characters.count {
      length += characters[cursor].utf8.count
      cursor += 1
    }
    insertion = length > offset ? offset : nil
  }

  /// The start of the word before the cursor; words are letters, digits and `_`.
  var wordStart: Int { start(where: Self.isWord) }

  /// The start of the text without spaces before the cursor, which Ctrl-W kills.
  var spacedWordStart: Int { start { !$0.isWhitespace } }

  private func start(where isPart: (Character) -> Bool) -> Int {
    var position = cursor
    while position > 0, !isPart(characters[position - 1]) { position -= 1 }
    while position > 0, isPart(characters[position - 1]) { position -= 1 }
    return position
  }

  var wordEnd: Int {
    var position = cursor
    while position < characters.count, !Self.isWord(characters[position]) { position += 1 }
    while position < characters.count, Self.isWord(characters[position]) { position += 1 }
    return position
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}

/// The states of the line before each change.
///
/// Letters that are typed in sequence are one change, up to the next space.
struct UndoStack: Sendable {
  private var before: [LineBuffer] = []
  private var undone: [LineBuffer] = []
  private var isTyping = false
  private static let limit = 1000
  /// The number of characters of all states, of which the last one is kept however long it is.
  private static let characterLimit = 1 << 20

  /// Saves the line before a change; one letter may continue the word before it.
  mutating func willChange(
    _ buffer: LineBuffer, isTyping: Bool = false, continues: Bool = false
  ) {
    undone = []
    defer { self.isTyping = isTyping }
    if continues, self.isTyping { return }
    if before.last == buffer { return }
    before.append(buffer)
    var total = before.reduce(0) { $0 + $1.characters.count }
    while before.count > Self.limit || total > Self.characterLimit && before.count > 1 {
      total -= before.removeFirst().characters.count
    }
  }

  /// Makes the next letter begin a new change.
  mutating func endTyping() { isTyping = false }

  /// The line before the last change; `nil` if there is none.
  mutating func undo(_ buffer: LineBuffer) -> LineBuffer? {
    isTyping = false
    while let last = before.popLast() {
      guard last.characters != buffer.characters else { continue }
      undone.append(buffer)
      return last
    }
    return nil
  }

  /// The line after the change that was undone last; `nil` if there is none.
  mutating func redo(_ buffer: LineBuffer) -> LineBuffer? {
    guard let next = undone.popLast() else { return nil }
    before.append(buffer)
    return next
  }
}

struct KillRing: Sendable {
  private var texts: [String] = []
  /// The text that was yanked last, counted from the newest.
  private var position = 0
  private static let limit = 32

  /// Adds a text that was killed; if it continues the previous kill, it is joined with it.
  mutating func cut(_ text: String, isBackward: Bool, continues: Bool) {
    guard !text.isEmpty else { return }
    position = 0
    if continues, let last = texts.popLast() {
      texts.append(isBackward ? text + last : last + text)
      return
    }
    texts.append(text)
    if texts.count > Self.limit { texts.removeFirst() }
  }

  /// The newest text; `nil` if there is none.
  mutating func newest() -> String? {
    position = 0
    return texts.last
  }

  /// The text before the one that was returned last; after the oldest one, the newest.
  mutating func next() -> String? {
    guard !texts.isEmpty else { return nil }
    position = (position + 1) % texts.count
    return texts[texts.count - 1 - position]
  }
}
