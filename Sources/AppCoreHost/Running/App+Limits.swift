@_spi(Host) package import AppCore
package import Navigation
internal import Synchronization

/// Numbers for the apps of this process.
enum AppNumbers {
  private static let last = Atomic<UInt32>(0)

  static func next() -> UInt32 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

// What keeps an app usable whose features go wrong.
extension App {
  /// How many actions may bring each other about before anything else is done; more are cut off.
  public static let cascadeLimit = 100_000
  /// How many actions may wait to be reduced.
  static let waitingLimit = 250_000

  /// Has the store tell of what features do that they should not, so that it is logged and shown.
  package func watch(_ store: Store<AppState, AppAction>) {
    // The store is the app's own, so all of these are called on its thread.
    store.onDroppedActions { [unowned store] action in
      guard case .instance(let id, _) = action else { return }
      store.send(.report(.late(id)))
    }
    store.cutCascades(at: Self.cascadeLimit, waiting: Self.waitingLimit) {
      [unowned store] action in
      guard case .instance(let id, let action) = action else { return }
      store.send(.report(.endless(id, action, limit: Self.cascadeLimit)))
    }
    store.onFloods(of: InstanceScope.self) { [unowned store] scope, count in
      store.send(.report(.flood(scope.id, count: count)))
    }
  }
}
