@_spi(Host) internal import AppCore
internal import CrashReporting
internal import Dispatch
internal import Navigation
internal import Synchronization

/// The way out of an app, of which there is one: whoever comes second waits for the first.
///
/// A line asks the app to end, the input ends, the output can't be written, a signal comes; several
/// of them may happen at once.
public final class AppEnding: Sendable {
  /// How an app has ended.
  public struct Outcome: Sendable {
    /// What features could not save.
    public let unsaved: [UnsavedWork]
  }

  private let app: App
  private let limit: Duration
  private let tell: @Sendable (String) -> Void
  private let outcome = Mutex<Outcome?>(nil)

  /// Names an app that is to end some time.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - limit: how long features may take to save what is due.
  ///   - tell: takes what is waited for and what has not ended, a line at a time.
  public init(
    _ app: App, within limit: Duration = .seconds(5), _ tell: @escaping @Sendable (String) -> Void
  ) {
    self.app = app
    self.limit = limit
    self.tell = tell
  }

  /// Ends the app, once.
  ///
  /// Blocks its thread, which must be no task's; some seconds longer than the limit at most, however
  /// busy the app's own thread is.
  ///
  /// - Parameters:
  ///   - isHasty: whether nobody is told who is waited for, and that not for long: the process is about
  ///     to end anyway.
  ///   - waitsForHangs: whether an app that does not even begin to end is waited for as long as one
  ///     that does.
  /// - Returns: how it has ended.
  @discardableResult
  public func end(isHasty: Bool = false, waitsForHangs: Bool = true) -> Outcome {
    outcome.withLock { outcome in
      if let outcome { return outcome }
      if isHasty {
        app.leave(within: .seconds(1)) { _ in }
      } else {
        app.leave(within: limit, waitsForHangs: waitsForHangs, tell)
      }
      let new = Outcome(unsaved: UnsavedWork.takeAll())
      for work in new.unsaved { tell(work.description) }
      outcome = new
      return new
    }
  }
}

extension App {
  /// How long somebody who leaves is left without a word.
  private static let leavingPatience = Duration.milliseconds(1500)

  /// Ends the app as ``end(within:)`` does, and tells what is waited for and what has not ended.
  ///
  /// Blocks its thread, which must be no task's; two seconds longer than `limit` at most, however
  /// busy the app's own thread is.
  ///
  /// - Parameters:
  ///   - limit: how long features may take to save what is due.
  ///   - waitsForHangs: whether an app whose thread is at work on something else all the time is waited
  ///     for, too.
  ///   - tell: takes a line, on the thread that waits.
  nonisolated func leave(
    within limit: Duration, waitsForHangs: Bool = true, _ tell: (String) -> Void
  ) {
    WatchThread.shared.conclude(app: calls.app)
    let roll = RollBox()
    let done = DispatchSemaphore(value: 0)
    Task {
      let hasEnded = await end(within: limit) { new in roll.latest.withLock { $0 = new } }
      roll.hasEnded.withLock { $0 = hasEnded }
      done.signal()
    }
    let rest = limit - Self.leavingPatience
    if Self.wait(for: done, atMost: min(limit, Self.leavingPatience)) == .timedOut {
      if !waitsForHangs, roll.latest.withLock({ $0 }) == nil {
        let culprit = WatchThread.shared.culprit(ofApp: calls.app)
        return tell(
          "ended without waiting any longer for "
            + (culprit ?? "a feature that keeps the app busy"))
      }
      if rest > .zero {
        tell(
          "ending; waits for \(owners(roll)) for \(Self.seconds(rest)) s more; "
            + "Ctrl-\\ ends it now")
      }
      _ = Self.wait(for: done, atMost: max(.zero, rest) + Self.cancellingPatience + .seconds(1))
    }
    if roll.hasEnded.withLock({ $0 }) { return }
    // Where nobody is at work any more, they have ended meanwhile.
    if let scopes = roll.latest.withLock({ $0 })?.atWork, scopes.isEmpty { return }
    tell("ended without waiting any longer for \(owners(roll))")
  }

  /// Whose effects are at work, in words.
  private nonisolated func owners(_ roll: RollBox) -> String {
    guard let scopes = roll.latest.withLock({ $0 })?.atWork else {
      return "a feature that keeps the app busy"
    }
    let limit = 3
    var names = scopes.prefix(limit).map { scope in
      "'\(WatchedNames.node(Int(scope.node), app: calls.app)?.name ?? "?")' #\(scope.id)"
    }
    if scopes.count > limit { names.append("\(scopes.count - limit) more") }
    guard let last = names.popLast() else { return "effects" }
    return "effects of " + (names.isEmpty ? "" : names.joined(separator: ", ") + " and ") + last
  }

  private static func wait(
    for done: DispatchSemaphore, atMost limit: Duration
  ) -> DispatchTimeoutResult {
    let (seconds, attoseconds) = limit.components
    return done.wait(
      timeout: .now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000)))
  }

  /// Whole seconds, rounded up.
  private static func seconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds + (attoseconds > 0 ? 1 : 0)
  }
}

/// What is known of an app's end, while it continues; outlives the call that waits.
private final class RollBox: Sendable {
  let latest = Mutex<EffectRoll<InstanceScope>?>(nil)
  let hasEnded = Mutex(false)
}
