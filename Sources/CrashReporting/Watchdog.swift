@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import Support
internal import Synchronization

/// Looks whether an app's thread still answers, and says who keeps it from that.
///
/// Nothing is ended: when the feature returns, the app goes on. Used on the watch thread.
package final class Watchdog: Sendable {
  private enum Status {
    /// Nothing was asked.
    case idle
    /// The app was asked at that time, in nanoseconds, and somebody was told so often: after the
    /// limit, and each time when twice as long has passed.
    case asked(since: Int, isUnderWay: Bool, told: Int)
  }

  package let app: UInt32
  /// How often it looks, in milliseconds.
  let interval: Int
  private let limit: Int
  private let ask: @Sendable (_ isUnderWay: @escaping @Sendable () -> Void) async -> Void
  private let tell: @Sendable (String) -> Void
  private let status = Mutex(Status.idle)

  /// - Parameters:
  ///   - app: the app's number.
  ///   - limit: after how long somebody is told.
  ///   - ask: calls its argument, and returns when the app's thread has answered.
  ///   - tell: takes what is told, a line without its end.
  package init(
    app: UInt32, limit: Duration,
    ask: @escaping @Sendable (_ isUnderWay: @escaping @Sendable () -> Void) async -> Void,
    tell: @escaping @Sendable (String) -> Void
  ) {
    self.app = app
    let (seconds, attoseconds) = limit.components
    self.limit = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    interval = max(20, min(1000, self.limit / 4_000_000))
    self.ask = ask
    self.tell = tell
  }

  /// Asks the app, or counts how long it has not answered.
  package func look() {
    let now = MonotonicTime.now()
    let isDue = status.withLock { status -> Bool in
      switch status {
      case .idle:
        status = .asked(since: now, isUnderWay: false, told: 0)
        Task {
          // Only from here on is it the app that does not answer: before, tasks had no thread.
          await ask { self.begin() }
          answered()
        }
        return false
      case .asked(let since, true, let told): return now - since >= limit << min(told, 20)
      case .asked: return false
      }
    }
    guard isDue else { return }
    let found = standingThread()
    // It may have answered meanwhile.
    let since = status.withLock { status -> Int? in
      guard case .asked(let since, true, let told) = status else { return nil }
      status = .asked(since: since, isUnderWay: true, told: told + 1)
      return since
    }
    guard let since else { return }
    tell(Self.text(found, seconds: Double(now - since) / 1e9))
  }

  private func begin() {
    status.withLock { $0 = .asked(since: MonotonicTime.now(), isUnderWay: true, told: 0) }
  }

  private func answered() {
    let (since, wasTold) = status.withLock { status -> (Int, Bool) in
      defer { status = .idle }
      if case .asked(let since, _, let told) = status { return (since, told > 0) }
      return (0, false)
    }
    guard wasTold else { return }
    tell("the app goes on after \(Self.shown(Double(MonotonicTime.now() - since) / 1e9)) s")
  }

  private static func shown(_ seconds: Double) -> String {
    "\(Int(seconds)).\(Int(seconds * 10) % 10)"
  }

  private static func text(_ found: (words: String, action: String?)?, seconds: Double) -> String {
    guard let found else {
      return
        "the app has not answered for \(shown(seconds)) s, and no feature is known to be at work"
    }
    return "the app has not answered for \(shown(seconds)) s: \(found.words)"
      + (found.action.map { ", at the action \(SafeText.line($0))" } ?? "")
      + "; it is waited for, and Ctrl-\\ ends the app"
  }

  /// What the app's thread does now: it is interrupted for a moment.
  private func standingThread() -> (words: String, action: String?)? {
    guard let thread = WatchedThreads.thread(ofApp: app),
      !InterruptionDesk.isEnding.load(ordering: .sequentiallyConsistent)
    else { return nil }
    Inquiry.install()
    Inquiry.isOpen.store(true, ordering: .sequentiallyConsistent)
    defer { Inquiry.isOpen.store(false, ordering: .sequentiallyConsistent) }
    guard pthread_kill(thread, Inquiry.signal) == 0,
      InterruptionDesk.wait(for: InterruptionDesk.asked, seconds: 1)
    else { return nil }
    let found = InterruptionDesk.paper.pointee
    // Held before the thread goes on: the action is only sure to live while it stands still.
    let action = found.record.kind == .action ? found.record.action.map { AnyAction(at: $0) } : nil
    sem_post(InterruptionDesk.answered)
    if let owner = found.owner { return ("\(owner), \(found.callWords)", action?.text) }
    return found.lastOwner.map { ("between actions; the last was of \($0)", nil) }
  }
}

/// The signal by which a thread is asked where it is.
package enum Inquiry {
  /// Nobody uses it: it is for urgent data on sockets, and ignored unless somebody wants it.
  package static let signal = SIGURG
  /// Whether somebody waits for the answer.
  static let isOpen = Atomic<Bool>(false)

  private static let installOnce: Void = {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      let reason = errno
      if Inquiry.isOpen.exchange(false, ordering: .sequentiallyConsistent) {
        InterruptionDesk.leave(signal: 0, patience: 1)
      }
      errno = reason
    }
    action.sa_flags = SA_RESTART | Int32(SA_ONSTACK)
    sigaction(signal, &action, nil)
  }()

  package static func install() { _ = installOnce }
}
