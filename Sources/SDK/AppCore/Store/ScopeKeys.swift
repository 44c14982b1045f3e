/// A list that grows at its end and shares its beginning: what an effect can be ended by.
///
/// Each scope adds a key for what is inside it, and scopes are as deep as children are nested: an
/// array would be copied at every level.
struct ScopeKeys<Key: Hashable & Sendable>: Sendable {
  private var last: Link?

  private final class Link: @unchecked Sendable {
    // Unchecked: `previous` is written in `deinit` only.
    let key: Key
    var previous: Link?

    init(_ key: Key, _ previous: Link?) {
      self.key = key
      self.previous = previous
    }

    deinit {
      // One after the other: released by each other, they would take stack for every level.
      var next = previous
      previous = nil
      while next != nil, isKnownUniquelyReferenced(&next) {
        let link = next?.previous
        next?.previous = nil
        next = link
      }
    }
  }

  /// Adds a key.
  ///
  /// - Complexity: constant.
  mutating func append(_ key: Key) { last = Link(key, last) }
}

extension ScopeKeys: Sequence {
  /// The keys, the latest one first.
  func makeIterator() -> AnyIterator<Key> {
    var next = last
    return AnyIterator {
      defer { next = next?.previous }
      return next?.key
    }
  }
}
