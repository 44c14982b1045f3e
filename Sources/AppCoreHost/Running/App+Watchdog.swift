@_spi(Host) package import AppCore
internal import CrashReporting
package import Navigation
internal import Support
internal import Synchronization

extension App {
  /// Tells when the app's thread has not answered for a while: a feature's reducer or its screen
  /// takes long, or an effect that never waits.
  ///
  /// Nothing is ended; when the feature returns, the app continues, and says so. The thread
  /// is asked where it is by the signal `SIGURG`, which interrupts what it waits for.
  ///
  /// - Parameters:
  ///   - limit: how long; `nil` never tells.
  ///   - endsAfter: after how long the process is ended; `nil` never ends it. Where both are `nil`,
  ///     nobody looks any more.
  ///   - tell: takes each line, on a thread of its own.
  ///   - end: ends the process, unless a supervisor restores the app; it takes the reason.
  public nonisolated func watchForBlocking(
    after limit: Duration?, endsAfter: Duration? = nil,
    _ tell: @escaping @Sendable (String) -> Void,
    end: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let limit = limit.flatMap { $0 > .zero ? $0 : nil }
    guard limit != nil || endsAfter != nil else {
      return WatchThread.shared.remove(app: calls.app)
    }
    WatchThread.shared.start()
    Inquiry.install()
    let thread = thread
    WatchThread.shared.add(
      Watchdog(
        app: calls.app, limit: limit, endsAfter: endsAfter, progress: { thread.progress },
        tell: tell, end: end))
  }

  /// The piece of work that keeps the app from answering, once it was reported; `nil` where there
  /// is none, or nobody could restore the app.
  package nonisolated var hang: Int? {
    WorkerPage.current == nil ? nil : WatchThread.shared.watchdog(ofApp: calls.app)?.hang
  }

  /// Has the app ended and restored without this piece of work, if it is still at it.
  package nonisolated func end(hang: Int) { WatchThread.shared.end(hang, ofApp: calls.app) }

  /// Makes the names of nodes known to those who name what runs.
  func nameNodes(of graph: Graph) {
    WatchedNames.add(
      graph.nodes.map { WatchedNames.Node(name: $0.name, feature: $0.feature ?? "") },
      app: calls.app)
  }

  /// Makes the app's thread known to those who name what runs on it.
  func beginBeingWatched() {
    nameNodes(of: graph)
    WatchedThreads.add(calls)
    // Whoever started the process may hold it back.
    SignalMask.unblock([Inquiry.signal])
    // A handler needs a stack of its own where the thread's has run out.
    SignalStack.give()
  }
}

/// Forgets an app that has gone.
final class WatchedApp: Sendable {
  private let app: UInt32

  init(_ app: UInt32) { self.app = app }

  deinit {
    WatchThread.shared.remove(app: app)
    WatchedThreads.remove(app: app)
    WatchedNames.remove(app: app)
  }
}

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
