@_spi(Host) internal import AppCore
internal import CrashReporting
internal import Navigation
internal import Support

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

  /// The piece of work that keeps the app from answering, of which somebody was told; `nil` where there
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
