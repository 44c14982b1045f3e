@_spi(Host) package import AppCore
package import Navigation
internal import Supervision
internal import Support
internal import Synchronization

extension App {
  /// Reports when one piece of work keeps the app's thread busy for too long.
  ///
  /// That is a reducer, a screen or an effect that does not return or suspend. The report names the
  /// feature; another line follows when the app continues. The signal `SIGURG` finds out where the
  /// thread is, and interrupts system calls in which it is blocked.
  ///
  /// - Parameters:
  ///   - limit: how long a piece of work may take before it is reported; `nil` reports none.
  ///   - endsAfter: how long it may take before the process is ended; `nil` never ends it. If both
  ///     are `nil`, watching stops.
  ///   - report: receives each line, on a thread of its own.
  ///   - end: ends the process, unless a supervisor restores the app; receives the reason.
  public nonisolated func watchForBlocking(
    after limit: Duration?, endsAfter: Duration? = nil,
    _ report: @escaping @Sendable (String) -> Void,
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
        report: report, end: end))
  }

  /// The piece of work that was reported and still blocks the app's thread.
  ///
  /// `nil` if there is none, or if no supervisor could restore the app.
  package nonisolated var hang: Int? {
    WorkerPage.current == nil ? nil : WatchThread.shared.watchdog(ofApp: calls.app)?.hang
  }

  /// Ends the process if this piece of work still blocks the app; the supervisor restores the app.
  package nonisolated func end(hang: Int) { WatchThread.shared.end(hang, ofApp: calls.app) }

  /// Registers the names of nodes and features for reports of crashes and hangs.
  func nameNodes(of graph: Graph) {
    WatchedNames.add(
      graph.nodes.map { WatchedNames.Node(name: $0.name, feature: $0.feature ?? "") },
      app: calls.app)
  }

  /// Registers the app's thread for reports of crashes and hangs; called on that thread.
  func beginBeingWatched() {
    nameNodes(of: graph)
    WatchedThreads.add(calls)
    // The signal may be blocked in the mask that the process has inherited.
    SignalMask.unblock([Inquiry.signal])
    // The handler of a stack overflow needs a stack of its own.
    SignalStack.give()
  }
}

/// The registration of an app for crash reports; releasing it removes what was registered.
final class WatchedApp: Sendable {
  private let app: UInt32

  init(_ app: UInt32) { self.app = app }

  deinit {
    WatchThread.shared.remove(app: app)
    WatchedThreads.remove(app: app)
    WatchedNames.remove(app: app)
  }
}

/// Numbers the apps of this process, from 1.
enum AppNumbers {
  private static let last = Atomic<UInt32>(0)

  static func next() -> UInt32 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

// Limits and reports for features that misbehave.
extension App {
  /// How many actions in a row may cause each other; further ones are dropped.
  public static let cascadeLimit = 100_000
  /// How many actions may be queued; further ones are dropped.
  static let waitingLimit = 250_000

  /// Reports to the log what features do wrong: late actions, endless cascades, floods of effects.
  package func watch(_ store: Store<AppState, AppAction>) {
    // The store is isolated to the app, so all of these closures are called on the app's thread.
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
