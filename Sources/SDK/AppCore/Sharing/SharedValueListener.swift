internal import Synchronization

/// Notifies a store of changed shared values, on its actor, unless it has already seen them.
///
/// However many changes there are, the store is notified once.
final class SharedValueListener: Sendable {
  private let storage = Mutex<SharedStorage?>(nil)
  /// Whether values have changed since the store's observers were last called.
  private let isPending = Atomic(false)

  /// Observes the values of a storage, instead of those of the former one, and calls `body` on the
  /// store's actor after changes.
  func follow(
    _ storage: SharedStorage, on isolation: any Actor, _ body: @escaping () -> Void
  ) {
    let former = self.storage.withLock { current in
      defer { current = storage }
      return current
    }
    guard former !== storage else { return }
    former?.removeListener(self)
    let call = IsolatedCall(body: body)
    storage.addListener(self) { [weak self] in
      guard let self, !isPending.exchange(true, ordering: .sequentiallyConsistent) else { return }
      Task {
        await call.run(on: isolation) {
          self.isPending.exchange(false, ordering: .sequentiallyConsistent)
        }
      }
    }
  }

  /// Called when the store's observers are called: they see all changes so far.
  func areSeen() {
    if isPending.load(ordering: .relaxed) {
      isPending.store(false, ordering: .sequentiallyConsistent)
    }
  }

  func end() { storage.withLock { $0 }?.removeListener(self) }
}

/// A closure that is only called on one actor.
private final class IsolatedCall: @unchecked Sendable {
  // Unchecked: `body` is called only in `run`.
  private let body: () -> Void

  init(body: @escaping () -> Void) { self.body = body }

  func run(on actor: isolated any Actor, if isDue: () -> Bool) {
    if isDue() { body() }
  }
}
