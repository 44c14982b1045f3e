internal import Synchronization

/// Tracks the shared values that a test's store has to assert.
///
/// Beside those that its storage had when the store was created, these are:
/// 1. a value with a key that is created later, from the value with which it is created.
/// 2. a value of another storage, as one that was made before the store: from when the store is
///    created with a state that has it, or a reducer or an effect of the store first uses it.
final class SharedTracker: Sendable {
  private typealias Original = (reference: any AnySharedReference, value: any Sendable)
  /// Whether any test's store exists; until then nothing is tracked.
  private static let isUsed = Atomic(false)
  /// `nil` for the storage of an app, which tracks nothing.
  private let originals = Mutex<[ObjectIdentifier: Original]?>(nil)

  func begin() {
    Self.isUsed.store(true, ordering: .relaxed)
    originals.withLock { $0 = $0 ?? [:] }
  }

  /// Tracks a value from now on, and returns whether it was not tracked yet.
  @discardableResult
  func add(_ reference: any AnySharedReference) -> Bool {
    guard Self.isUsed.load(ordering: .relaxed) else { return false }
    let value = reference.moment.value
    return originals.withLock { originals in
      guard originals != nil, originals?[ObjectIdentifier(reference)] == nil else { return false }
      originals?[ObjectIdentifier(reference)] = (reference, value)
      return true
    }
  }

  /// The tracked values.
  var references: [any AnySharedReference] {
    originals.withLock { $0?.values.map(\.reference) ?? [] }
  }

  /// What a value was when it was first tracked; `nil` if it is not.
  func original(of reference: any AnySharedReference) -> (any Sendable)? {
    originals.withLock { $0?[ObjectIdentifier(reference)]?.value }
  }

  /// Called before a value is read or changed.
  static func willUse(_ reference: any AnySharedReference) {
    guard isUsed.load(ordering: .relaxed), let storage = DependencyValues.ownSharedStorage,
      storage !== reference.storage
    else { return }
    storage.adopt(reference)
  }
}

extension SharedStorage {
  /// Tracks the values that a test's store has to assert, until the storage is released.
  @_spi(Host) public func beginTracking() { tracker.begin() }

  /// Adopts the shared values of a state that were made elsewhere.
  @_spi(Host) public func adoptValues(in state: Any) {
    SharedValueHolders.contain(in: state, orItsObjects: true) { holder in
      adopt(holder.root)
      return false
    }
  }

  /// Tracks a value of another storage.
  func adopt(_ reference: any AnySharedReference) {
    guard reference.storage !== self, tracker.add(reference) else { return }
    // A value that a test has made in a storage of its own stays there.
    guard let former = reference.storage, former === SharedStorage.process else { return }
    if reference.id.isInFile {
      RuntimeIssue.report(
        """
        the shared value \(reference.id) was made outside of the test's store, and is not in \
        its files
          - make the state within 'TestStore(initialState:)'
          - or put 'withDependencies { $0.sharedStorage = SharedStorage() }' around the whole test
        """)
    } else {
      // What the next test makes with the same key is another value.
      former.forget(reference)
      keep(reference)
    }
  }
}
