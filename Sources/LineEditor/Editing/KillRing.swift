/// The texts that were cut, to be put back.
struct KillRing: Sendable {
  private var texts: [String] = []
  /// Which of them was put back last, from the newest.
  private var position = 0
  private static let limit = 32

  /// Takes in a text that was cut; one that continues the cut before joins with it.
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

  /// The text that was cut last.
  mutating func newest() -> String? {
    position = 0
    return texts.last
  }

  /// The text that was cut before the one given last; after the oldest, the newest.
  mutating func next() -> String? {
    guard !texts.isEmpty else { return nil }
    position = (position + 1) % texts.count
    return texts[texts.count - 1 - position]
  }
}
