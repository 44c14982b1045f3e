@_spi(Host) internal import AppCore
internal import CrashReporting
internal import Navigation
internal import Support

extension App {
  /// Tells when the app's thread has not answered for a while: a feature's reducer or its screen
  /// takes long, or an effect that never waits.
  ///
  /// Nothing is ended; when the feature returns, the app goes on, and that is told too. The thread
  /// is asked where it is by the signal `SIGURG`, which interrupts what it waits for.
  ///
  /// - Parameters:
  ///   - limit: how long; `nil` ends it.
  ///   - tell: takes each line, on a thread of its own.
  public nonisolated func watchForBlocking(
    after limit: Duration?, _ tell: @escaping @Sendable (String) -> Void
  ) {
    guard let limit, limit > .zero else { return WatchThread.shared.remove(app: calls.app) }
    WatchThread.shared.start()
    Inquiry.install()
    WatchThread.shared.add(
      Watchdog(
        app: calls.app, limit: limit,
        ask: { [weak self] isUnderWay in
          isUnderWay()
          await self?.answer()
        }, tell: tell))
  }

  /// What the watchdog waits for.
  private func answer() {}

  /// Makes the app's thread known to those who name what runs on it.
  func beginBeingWatched() {
    WatchedNames.add(
      graph.nodes.map { WatchedNames.Node(name: $0.name, feature: $0.feature ?? "") },
      app: calls.app)
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
