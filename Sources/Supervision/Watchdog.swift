@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import Support
internal import Synchronization

/// A watchdog of one app's thread: it checks whether the thread still responds, and reports the
/// code that blocks it.
///
/// For each piece of work that takes long:
/// 1. It reports when the limit has passed, and again each time the duration has doubled.
/// 2. When the feature returns, it reports that the app continues.
/// 3. After ``endsAfter``, or after ``end(_:)``, it ends the process; a supervisor then restores
///    the app without that action.
///
/// Use it only on the watch thread, except for members documented as callable from any thread.
package final class Watchdog: Sendable {
  /// A piece of work of the app's thread.
  private struct Piece {
    /// The value of ``progress`` while it runs.
    let number: Int
    /// The monotonic time at which a check first found it running, in nanoseconds.
    let since: Int
    /// The number of reports about it.
    var told = 0
  }

  package let app: UInt32
  /// The interval between checks, in milliseconds.
  let interval: Int
  /// The duration after which it reports, in nanoseconds; `nil` for never.
  private let limit: Int?
  /// The duration after which it ends the process, in nanoseconds; `nil` for never.
  private let endsAfter: Int?
  private let progress: @Sendable () -> Int
  private let report: @Sendable (String) -> Void
  private let end: @Sendable (String) -> Void
  private let piece = Mutex<Piece?>(nil)
  /// The number of the piece of work for which ``end(_:)`` was called; 0 for none.
  private let unwanted = Atomic<Int>(0)
  /// The number of stops that were reported.
  private let stops = Atomic<UInt>(0)

  /// Creates a watchdog, which ``WatchThread/add(_:)`` puts to use.
  ///
  /// `progress` returns a counter that is incremented at the start and the end of each piece of work,
  /// so that it is odd while the thread is busy. `report` receives lines without their newlines. `end`
  /// ends a process that has no supervisor; it receives the reason.
  package init(
    app: UInt32, limit: Duration?, endsAfter: Duration? = nil,
    progress: @escaping @Sendable () -> Int, report: @escaping @Sendable (String) -> Void,
    end: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.app = app
    self.limit = limit?.nanoseconds
    self.endsAfter = endsAfter?.nanoseconds
    let shortest = [self.limit, self.endsAfter].compactMap(\.self).min() ?? .max
    interval = max(20, min(1000, shortest / 4_000_000, ServiceManager.interval ?? 1000))
    self.progress = progress
    self.report = report
    self.end = end
  }

  /// Checks once whether the app's thread is still busy with the same piece of work as at the last
  /// check, and reports the hang or ends the process if it is due.
  package func look() {
    let (now, number) = (MonotonicTime.now(), progress())
    if app == 1 { ServiceManager.tellAlive(progress: number) }
    if app == 1, let page = SharedCrashPage.current {
      page.progress = number
      reportStop(page.stops)
    }
    if app == 1, let failure = CrashFolder.takeFailure() { report(failure) }
    // Other threads call `hang` and `conclude()`.
    let (before, current) = piece.withLock { piece -> (Piece?, Piece?) in
      let before = piece
      if number % 2 == 0 {
        piece = nil
      } else if piece?.number != number {
        piece = Piece(number: number, since: now)
      }
      return (before, piece)
    }
    reportEnd(of: before, now: number)
    guard let current else { return }
    let duration = now - current.since
    let isUnwanted = unwanted.load(ordering: .sequentiallyConsistent) == number
    if isUnwanted || endsAfter.map({ duration >= $0 }) ?? false {
      return endProcess(current, duration)
    }
    guard let limit, duration >= limit << min(current.told, 20) else { return }
    let culprit = Self.culprit(ofApp: app)
    // The piece of work may have ended meanwhile.
    guard progress() == number else { return }
    piece.withLock { $0?.told += 1 }
    // 0 says that this thread checks nothing for now: `report` may take long.
    SharedCrashPage.current?.looks = 0
    report(text(culprit, seconds: Self.shown(duration)))
  }

  /// Reports that the app continues, if it does after a hang that was reported.
  ///
  /// Callable from any thread.
  package func conclude() {
    let before = piece.withLock { piece in
      defer { piece = nil }
      return piece
    }
    reportEnd(of: before, now: progress())
  }

  /// Reports that the process was stopped and continued.
  private func reportStop(_ count: UInt) {
    guard stops.exchange(count, ordering: .relaxed) != count else { return }
    let last = WatchedThreads.latest?.lastOwner.map { "; the last call was of \($0)" } ?? ""
    report(
      "the app's process was stopped, and was continued, since no shell would do that\(last)")
  }

  private func reportEnd(of piece: Piece?, now number: Int) {
    guard let piece, piece.told > 0, piece.number != number else { return }
    report("the app continues after \(Self.shown(MonotonicTime.now() - piece.since)) s")
  }

  private static func shown(_ nanoseconds: Int) -> String {
    "\(nanoseconds / 1_000_000_000).\(nanoseconds / 100_000_000 % 10)"
  }

  private func text(_ culprit: String?, seconds: String) -> String {
    guard let culprit else {
      return "the app has not answered for \(seconds) s, and no plugin is known to be at work; "
        + remedy
    }
    return "the app has not answered for \(seconds) s: \(culprit); still waiting (\(remedy))"
  }

  /// What happens next, or what the user can do, in words.
  private var remedy: String {
    let isRestored = SharedCrashPage.current != nil
    if let endsAfter {
      return "it is ended after \(Self.shown(endsAfter)) s" + (isRestored ? ", and restored" : "")
    }
    return (isRestored ? "Ctrl-C twice restores the app without it, " : "") + "Ctrl-\\ ends the app"
  }
}

// Ending the process for a piece of work that takes too long.
extension Watchdog {
  /// The number of the piece of work that was reported and still runs; `nil` if there is none.
  ///
  /// Callable from any thread.
  package var hang: Int? {
    guard let piece = piece.withLock({ $0 }), piece.told > 0, progress() == piece.number else {
      return nil
    }
    return piece.number
  }

  /// Ends the process at the next check if the app is then still busy with the piece of work ``hang``.
  ///
  /// Callable from any thread.
  package func end(_ hang: Int) {
    unwanted.store(hang, ordering: .sequentiallyConsistent)
    WatchThread.wake()
  }

  private func endProcess(_ piece: Piece, _ duration: Int) {
    if let page = SharedCrashPage.current, page.stage != .ending {
      let isTold: Void? = ThreadProbe.ask(threadOfApp: app, tracesCalls: true) {
        $0.writeReport(on: page, hang: duration)
      }
      // The piece of work may have ended meanwhile.
      guard progress() == piece.number else {
        page.report = []
        return
      }
      if isTold == nil { ThreadSnapshot().writeReport(on: page, hang: duration) }
      _ = kill(getpid(), SIGKILL)
    }
    let culprit = Self.culprit(ofApp: app)
    guard progress() == piece.number else { return }
    let report = ThreadProbe.ask(threadOfApp: app, tracesCalls: true) {
      $0.hangReport(nanoseconds: duration)
    }
    // The piece of work may have ended meanwhile.
    guard progress() == piece.number else { return }
    CrashFolder.file(report ?? ThreadSnapshot().hangReport(nanoseconds: duration), ofApp: app)
    end(
      "\(culprit ?? "something that is no call of a known plugin's"): it has kept the app busy for "
        + "\(Self.shown(duration)) s")
  }

  /// The code that keeps the app busy, and the action, in words.
  ///
  /// If no plugin's code is running, it names the feature that was called last; `nil` if there is
  /// none, or if the thread does not answer. This interrupts the app's thread briefly.
  package static func culprit(ofApp app: UInt32) -> String? {
    let found = ThreadProbe.ask(threadOfApp: app) { found in
      // Retain the action before the thread continues: it is guaranteed to live only until then.
      (found, found.record.kind == .action ? found.record.action.map { AnyAction(at: $0) } : nil)
    }
    guard let (found, action) = found else { return nil }
    guard let culprit = found.culprit else {
      return found.lastOwner.map { "between actions; the last was of \($0)" }
    }
    guard let action, !ErrorLog.isKept else { return culprit }
    return culprit + ", at the action " + WatchedApp.text(of: action, inApp: app)
  }
}
