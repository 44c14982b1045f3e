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
