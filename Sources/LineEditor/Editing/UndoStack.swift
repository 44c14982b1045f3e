/// The states of the line before each change.
///
/// Letters that are typed in sequence are one change, up to the next space.
struct UndoStack: Sendable {
  private var before: [LineBuffer] = []
  private var undone: [LineBuffer] = []
  private var isTyping = false
  private static let limit = 1000

  /// Saves the line before a change; one letter may continue the word before it.
  mutating func willChange(
    _ buffer: LineBuffer, isTyping: Bool = false, continues: Bool = false
  ) {
    undone = []
    defer { self.isTyping = isTyping }
    if continues, self.isTyping { return }
    if before.last == buffer { return }
    before.append(buffer)
    if before.count > Self.limit { before.removeFirst() }
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

/// The texts that were killed, to be yanked again.
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
