@_spi(Host) internal import AppCore
internal import Navigation
internal import Sessions
internal import Supervision
internal import Support
internal import Synchronization

/// The registration of an app for reports of crashes and hangs, with the record of its calls.
///
/// Releasing it removes what was registered.
final class Watch: Sendable {
  let calls: CallRecorder

  private static let lastNumber = Atomic<UInt32>(0)

  /// Numbers the app, from 1 for the first of the process.
  init() {
    let number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    // The page that is shared with the supervisor has room for one app: the first of the process.
    calls = CallRecorder(app: number, on: number == 1 ? SharedCrashPage.current?.record : nil)
  }

  deinit { WatchedApp.remove(calls.app) }

  /// Registers the names of nodes and features for reports of crashes and hangs.
  func registerNames(of graph: Graph) {
    // Made before: the thread that reports crashes takes the lock that is held meanwhile.
    let nodes = graph.nodes.map { WatchedApp.Node(name: $0.name, feature: $0.feature ?? "") }
    WatchedApp.update(calls.app) { $0.nodes = nodes }
  }

  /// Registers the app for reports of crashes that are kept in files.
  func register(_ identity: SessionIdentity) {
    WatchedApp.update(calls.app) { $0.identity = identity }
  }

  /// Keeps the latest entries of the log for a report of a crash.
  func remember(_ log: ActionLog) {
    let lines = log.newOutline()
    guard !lines.isEmpty else { return }
    // The supervisor can read only the page, and a process without one only its own memory.
    if calls.app == 1, let page = SharedCrashPage.current {
      page.append(log: lines)
    } else {
      WatchedApp.update(calls.app) { $0.append(log: lines) }
    }
  }

  /// Has what is printed of actions in such reports redacted.
  func registerSecrets(_ secrets: SecretTexts) {
    WatchedApp.update(calls.app) { $0.redact = { secrets.redact($0) } }
  }

  /// Registers the calling thread, which is the app's, for reports of crashes and hangs.
  func registerThread(running graph: Graph) {
    registerNames(of: graph)
    WatchedThreads.add(calls)
    // The signal may be blocked in the mask that the process has inherited.
    SignalMask.unblock([ThreadProbe.signal])
    // The handler of a stack overflow needs a stack of its own.
    SignalStack.give()
  }

  /// The piece of work that was reported and still blocks the app's thread.
  ///
  /// `nil` if there is none, or if no supervisor could restore the app.
  var hang: Int? {
    SharedCrashPage.current == nil ? nil : WatchedApp.watchdog(ofApp: calls.app)?.hang
  }

  /// Ends the process if this piece of work still blocks the app; the supervisor restores the app.
  func end(hang: Int) { WatchedApp.watchdog(ofApp: calls.app)?.end(hang) }

  /// Reports to the log what features do wrong: late actions, endless cascades, floods of effects.
  static func report(misuseOf store: Store<AppState, AppAction>) {
    // The store is isolated to the app, so all of these closures are called on the app's thread.
    store.onDroppedActions { [unowned store] action in
      guard case .instance(let id, _) = action else { return }
      store.send(.report(.late(id)))
    }
    store.cutCascades(at: App.cascadeLimit, waiting: App.waitingLimit) {
      [unowned store] action in
      guard case .instance(let id, let action) = action else { return }
      store.send(.report(.endless(id, action, limit: App.cascadeLimit)))
    }
    store.onFloods(of: InstanceScope.self) { [unowned store] scope, count in
      store.send(.report(.flood(scope.id, count: count)))
    }
  }
}

extension App {
  /// How many actions in a row may cause each other; further ones are dropped.
  public static let cascadeLimit = 100_000
  /// How many actions may be queued; further ones are dropped.
  static let waitingLimit = 250_000

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
    guard limit != nil || endsAfter != nil || ServiceManager.interval != nil else {
      return WatchThread.remove(app: calls.app)
    }
    WatchThread.start()
    ThreadProbe.install()
    let thread = thread
    WatchThread.add(
      Watchdog(
        app: calls.app, limit: limit, endsAfter: endsAfter, progress: { thread.progress },
        report: report, end: end))
  }
}
