internal import Synchronization

/// Tells a store of changed shared values, on the store's actor, unless it has seen them by itself.
///
/// However many changes there are, the store is told once.
final class SharedValueListener: Sendable {
  private let storage = Mutex<SharedStorage?>(nil)
  /// Whether values have changed since the store's observers were last told of anything.
  private let isPending = Atomic(false)

  /// Follows the values of a storage, and no others any more.
  ///
  /// - Parameters:
  ///   - storage: the storage.
  ///   - isolation: the store's actor.
  ///   - body: is called there.
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
    storage.addListener(self) { [isPending = Flag(self)] in isPending.raise(on: isolation, call) }
  }

  /// The observers are being told.
  func areSeen() {
    if isPending.load(ordering: .relaxed) {
      isPending.store(false, ordering: .sequentiallyConsistent)
    }
  }

  func end() { storage.withLock { $0 }?.removeListener(self) }

  /// The listener, as its storage holds it.
  private struct Flag: Sendable {
    weak let listener: SharedValueListener?

    init(_ listener: SharedValueListener) { self.listener = listener }

    func raise(on isolation: any Actor, _ call: IsolatedCall) {
      guard let listener,
        !listener.isPending.exchange(true, ordering: .sequentiallyConsistent)
      else { return }
      Task {
        await call.run(on: isolation) {
          listener.isPending.exchange(false, ordering: .sequentiallyConsistent)
        }
      }
    }
  }
}

/// What is only ever called on one actor.
private final class IsolatedCall: @unchecked Sendable {
  // Unchecked: `body` is called in `run` alone.
  private let body: () -> Void

  init(body: @escaping () -> Void) { self.body = body }

  func run(on actor: isolated any Actor, if isDue: () -> Bool) {
    if isDue() { body() }
  }
}
