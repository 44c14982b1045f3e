/// Those who are told of something, in the order in which they came.
final class Listeners<Value> {
  private struct Entry {
    let id: Int
    /// `nil` once it was removed while others were told.
    var body: ((borrowing Value) -> Void)?
  }
  private var entries: [Entry] = []
  private var nextID = 0
  private var isTelling = false

  /// Takes somebody on; where others are being told just now, from the next time on.
  ///
  /// - Returns: what ends it.
  func add(_ body: @escaping (borrowing Value) -> Void) -> StoreObservation {
    nextID += 1
    let id = nextID
    entries.append(Entry(id: id, body: body))
    return StoreObservation { [weak self] in self?.remove(id) }
  }

  private func remove(_ id: Int) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    // Released when the list has been changed: what the closure holds may use it as it ends.
    let removed = entries[index].body
    if isTelling { entries[index].body = nil } else { entries.remove(at: index) }
    withExtendedLifetime(removed) {}
  }

  /// - Complexity: O(n) in the number of listeners.
  func tell(_ value: borrowing Value) {
    isTelling = true
    for index in entries.indices {
      let body = entries[index].body
      body?(value)
    }
    isTelling = false
    if entries.contains(where: { $0.body == nil }) { entries.removeAll { $0.body == nil } }
  }
}

/// An observation of a store; it ends when it is cancelled or let go of.
public final class StoreObservation {
  private var end: (() -> Void)?

  init(_ end: @escaping () -> Void) { self.end = end }

  /// Ends the observation.
  ///
  /// One that is cancelled while observers are told is not told any more.
  public func cancel() {
    end?()
    end = nil
  }

  deinit { end?() }
}
