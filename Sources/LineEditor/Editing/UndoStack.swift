/// The states of the line before each change.
///
/// Letters that are typed in sequence are one change, up to the next space.
struct UndoStack: Sendable {
  private var before: [LineBuffer] = []
  private var undone: [LineBuffer] = []
  private var isTyping = false
  private static let limit = 1000

  /// Saves the line before a change.
  ///
  /// - Parameters:
  ///   - buffer: the line.
  ///   - isTyping: whether the change is one letter.
  ///   - continues: whether the letter belongs to the word before it.
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
