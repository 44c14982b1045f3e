/// Listeners, in the order of registration.
final class Listeners<Value> {
  /// An entry has no body any more if it was removed during a notification.
  private var entries: [(id: Int, body: ((Value) -> Void)?)] = []
  private var nextID = 0
  private var isNotifying = false

  /// Adds a listener; during a notification, starting with the next one.
  ///
  /// - Returns: the observation, which removes the listener when it is released.
  func add(_ body: @escaping (Value) -> Void) -> StoreObservation {
    nextID += 1
    let id = nextID
    entries.append((id, body))
    return StoreObservation { [weak self] in self?.remove(id) }
  }

  private func remove(_ id: Int) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    // Released after the list has been changed: values that the closure holds may use the list in
    // their deinitializers.
    let removed = entries[index].body
    if isNotifying { entries[index].body = nil } else { entries.remove(at: index) }
    withExtendedLifetime(removed) {}
  }

  /// - Complexity: O(*n*), where *n* is the number of listeners.
  func notify(_ value: Value) {
    isNotifying = true
    for index in entries.indices {
      let body = entries[index].body
      body?(value)
    }
    isNotifying = false
    if entries.contains(where: { $0.body == nil }) { entries.removeAll { $0.body == nil } }
  }
}

/// An observation of a store; it ends when it is cancelled or released.
public final class StoreObservation {
  private var end: (() -> Void)?

  init(_ end: @escaping () -> Void) { self.end = end }

  /// Ends the observation.
  ///
  /// If it is cancelled during a notification, it is not called any more.
  public func cancel() {
    end?()
    end = nil
  }

  deinit { end?() }
}
