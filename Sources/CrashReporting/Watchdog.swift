@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import Support
internal import Synchronization

/// Checks whether an app's thread still answers, and reports what keeps it busy.
///
/// For each piece of work that takes long:
/// 1. It reports when the limit has passed, and again each time the duration has doubled.
/// 2. When the feature returns, it reports that the app continues.
/// 3. After ``endsAfter``, or after ``end(_:)``, it ends the process; a supervisor then restores
///    the app without that action.
///
/// Use it only on the watch thread, except for members that are documented as callable from any.
package final class Watchdog: Sendable {
  /// A piece of work of the app's thread.
  private struct Piece {
    let number: Int
    /// When it was first seen, in nanoseconds.
    let since: Int
    /// The number of reports about it.
    var told = 0
  }

  package let app: UInt32
  /// The interval between checks, in milliseconds.
  let interval: Int
  private let limit: Int?
  private let endsAfter: Int?
  private let progress: @Sendable () -> Int
  private let tell: @Sendable (String) -> Void
  private let end: @Sendable (String) -> Void
  private let piece = Mutex<Piece?>(nil)
  /// The piece of work for which ``end(_:)`` was called; 0 for none.
  private let unwanted = Atomic<Int>(0)

  /// - Parameters:
  ///   - app: the app's number.
  ///   - limit: the duration after which it reports; `nil` for never.
  ///   - endsAfter: the duration after which the process is ended; `nil` for never.
  ///   - progress: a counter that is incremented at the start and the end of each piece of work, so
  ///     that it is odd while the thread is busy.
  ///   - tell: takes each report, a line without its line end.
  ///   - end: ends a process that has no supervisor; takes the reason.
  package init(
    app: UInt32, limit: Duration?, endsAfter: Duration? = nil,
    progress: @escaping @Sendable () -> Int, tell: @escaping @Sendable (String) -> Void,
    end: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.app = app
    self.limit = limit.map(Self.nanoseconds)
    self.endsAfter = endsAfter.map(Self.nanoseconds)
    let shortest = [self.limit, self.endsAfter].compactMap(\.self).min() ?? .max
    interval = max(20, min(1000, shortest / 4_000_000))
    self.progress = progress
    self.tell = tell
    self.end = end
  }

  private static func nanoseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }

  /// Checks whether the app's thread is still busy with the same piece of work as last time.
  package func look() {
    let (now, number) = (MonotonicTime.now(), progress())
    if app == 1 { WorkerPage.current?.progress = number }
    // Written on one thread; the lock protects readers on others.
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
    // The app may have answered meanwhile.
    guard progress() == number else { return }
    piece.withLock { $0?.told += 1 }
    // 0: `tell` may take long, in which this thread checks nothing.
    WorkerPage.current?.looks = 0
    tell(text(culprit, seconds: Self.shown(duration)))
  }

  /// Reports that the app continues, if it does and the hang was reported.
  package func conclude() {
    let before = piece.withLock { piece in
      defer { piece = nil }
      return piece
    }
    reportEnd(of: before, now: progress())
  }

  private func reportEnd(of piece: Piece?, now number: Int) {
    guard let piece, piece.told > 0, piece.number != number else { return }
    tell("the app continues after \(Self.shown(MonotonicTime.now() - piece.since)) s")
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

  /// What happens next, or what the user can do.
  private var remedy: String {
    let isRestored = WorkerPage.current != nil
    if let endsAfter {
      return "it is ended after \(Self.shown(endsAfter)) s" + (isRestored ? ", and restored" : "")
    }
    return (isRestored ? "Ctrl-C twice restores the app without it, " : "") + "Ctrl-\\ ends the app"
  }
}

// Ending the process for a piece of work that takes too long.
extension Watchdog {
  /// The piece of work that was reported and is still running; `nil` if there is none.
  ///
  /// Callable from any thread.
  package var hang: Int? {
    guard let piece = piece.withLock({ $0 }), piece.told > 0, progress() == piece.number else {
      return nil
    }
    return piece.number
  }

  /// Ends the process if the app is still busy with this piece of work; callable from any thread.
  package func end(_ hang: Int) { unwanted.store(hang, ordering: .sequentiallyConsistent) }

  private func endProcess(_ piece: Piece, _ duration: Int) {
    if let page = WorkerPage.current, page.stage != .ending {
      let isTold: Void? = WatchedThreads.thread(ofApp: app).flatMap { thread in
        Inquiry.ask(thread, tracesCalls: true) { $0.writeReport(on: page, hang: duration) }
      }
      // The app may have answered meanwhile.
      guard progress() == piece.number else {
        page.report = []
        return
      }
      if isTold == nil { Interruption().writeReport(on: page, hang: duration) }
      _ = kill(getpid(), SIGKILL)
    }
    let culprit = Self.culprit(ofApp: app)
    guard progress() == piece.number else { return }
    end(
      "\(culprit ?? "something that is no call of a known plugin's"): it has kept the app busy for "
        + "\(Self.shown(duration)) s")
  }

  /// The code that keeps the app busy, and the action, in words; `nil` if no plugin is known to.
  ///
  /// This interrupts the app's thread for a moment.
  static func culprit(ofApp app: UInt32) -> String? {
    guard let thread = WatchedThreads.thread(ofApp: app) else { return nil }
    let found = Inquiry.ask(thread) { found in
      // Retain the action before the thread continues: it is only sure to be alive until then.
      (found, found.record.kind == .action ? found.record.action.map { AnyAction(at: $0) } : nil)
    }
    guard let (found, action) = found else { return nil }
    guard let culprit = found.culprit else {
      return found.lastOwner.map { "between actions; the last was of \($0)" }
    }
    return culprit + (action.map { ", at the action \(SafeText.line($0.text))" } ?? "")
  }
}
