@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import Support
internal import Synchronization

/// Looks whether an app's thread still answers, and says who keeps it from that.
///
/// Nothing is ended: when the feature returns, the app goes on. Used on the watch thread.
package final class Watchdog: Sendable {
  /// Since when the app's thread is at one piece of work, in nanoseconds, and how often somebody was
  /// told: after the limit, and each time when twice as long has passed.
  private struct Piece {
    let number: Int
    let since: Int
    var told = 0
  }

  package let app: UInt32
  /// How often it looks, in milliseconds.
  let interval: Int
  private let limit: Int
  private let endsAfter: Int?
  private let progress: @Sendable () -> Int
  private let tell: @Sendable (String) -> Void
  private let end: @Sendable (String) -> Void
  private let piece = Mutex<Piece?>(nil)

  /// - Parameters:
  ///   - app: the app's number.
  ///   - limit: after how long somebody is told.
  ///   - endsAfter: after how long `end` is called; never where it is `nil`.
  ///   - progress: counts the thread's pieces of work, at their beginnings and ends: it is odd while
  ///     one is done.
  ///   - tell: takes what is told, a line without its end.
  ///   - end: ends the process, with the reason.
  package init(
    app: UInt32, limit: Duration, endsAfter: Duration? = nil,
    progress: @escaping @Sendable () -> Int, tell: @escaping @Sendable (String) -> Void,
    end: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.app = app
    self.limit = Self.nanoseconds(limit)
    self.endsAfter = endsAfter.map(Self.nanoseconds)
    interval = max(20, min(1000, self.limit / 4_000_000))
    self.progress = progress
    self.tell = tell
    self.end = end
  }

  private static func nanoseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }

  /// Looks whether the app's thread is still at what it was at the last time.
  package func look() {
    let (now, number) = (MonotonicTime.now(), progress())
    // Used on one thread; the lock is for the compiler.
    let (before, current) = piece.withLock { piece -> (Piece?, Piece?) in
      let before = piece
      if number % 2 == 0 {
        piece = nil
      } else if piece?.number != number {
        piece = Piece(number: number, since: now)
      }
      return (before, piece)
    }
    tellEnd(of: before, now: number)
    guard let current else { return }
    if let endsAfter, now - current.since >= endsAfter {
      let found = standingThread()
      guard progress() == number else { return }
      return end(
        "\(Self.words(found)): it has kept the app busy for \(Self.shown(now - current.since)) s")
    }
    guard now - current.since >= limit << min(current.told, 20) else { return }
    let found = standingThread()
    // It may have answered meanwhile.
    guard progress() == number else { return }
    piece.withLock { $0?.told += 1 }
    tell(Self.text(found, seconds: Self.shown(now - current.since), endsAfter))
  }

  /// Tells that the app goes on, if it does and somebody was told that it does not.
  package func conclude() {
    let before = piece.withLock { piece in
      defer { piece = nil }
      return piece
    }
    tellEnd(of: before, now: progress())
  }

  private func tellEnd(of piece: Piece?, now number: Int) {
    guard let piece, piece.told > 0, piece.number != number else { return }
    tell("the app goes on after \(Self.shown(MonotonicTime.now() - piece.since)) s")
  }

  private static func words(_ found: (words: String, action: String?)?) -> String {
    guard let found else { return "something that is no call of a known plugin's" }
    return found.words + (found.action.map { ", at the action \(SafeText.line($0))" } ?? "")
  }

  private static func shown(_ nanoseconds: Int) -> String {
    "\(nanoseconds / 1_000_000_000).\(nanoseconds / 100_000_000 % 10)"
  }

  private static func text(
    _ found: (words: String, action: String?)?, seconds: String, _ endsAfter: Int?
  ) -> String {
    guard found != nil else {
      return "the app has not answered for \(seconds) s, and no plugin is known to be at work"
    }
    let end =
      endsAfter.map { "it is ended after \(shown($0)) s" } ?? "Ctrl-\\ ends the app"
    return
      "the app has not answered for \(seconds) s: \(words(found)); it is waited for, and \(end)"
  }

  /// What the app's thread does now: it is interrupted for a moment.
  private func standingThread() -> (words: String, action: String?)? {
    guard let thread = WatchedThreads.thread(ofApp: app),
      !InterruptionDesk.isEnding
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
    if let culprit = found.culprit { return (culprit, action?.text) }
    return found.lastOwner.map { ("between actions; the last was of \($0)", nil) }
  }
}

/// The signal by which a thread is asked where it is.
package enum Inquiry {
  /// Nobody uses it: it is for urgent data on sockets, and ignored unless somebody wants it.
  package static let signal = SIGURG
  /// Whether somebody waits for the answer.
  static let isOpen = Atomic<Bool>(false)

  package static func install() { ProcessSignals.install([signal], evenIfIgnored: true) }

  /// Answers, on the thread that is asked; in the signal's handler.
  static func answer() {
    guard isOpen.exchange(false, ordering: .sequentiallyConsistent) else { return }
    InterruptionDesk.leave(signal: 0, patience: 1)
  }
}
