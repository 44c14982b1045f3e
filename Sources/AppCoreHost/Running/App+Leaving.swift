@_spi(Host) internal import AppCore
internal import Dispatch
internal import Navigation
internal import Supervision
internal import Synchronization

/// Ends an app once, whoever asks for it: later calls wait for the first and get its outcome.
///
/// An app ends when a line or a signal asks for it, when the input ends, or when the output can't
/// be written. Several of these may happen at once, on different threads.
public final class AppEnding: Sendable {
  /// The result of ending an app.
  public struct Outcome: Sendable {
    /// The work that features could not save.
    public let unsaved: [UnsavedWork]
    /// Whether the time was up before everything had ended that may have been saving.
    public let hasGivenUp: Bool

    /// Whether something was lost, or may be.
    public var isIncomplete: Bool { hasGivenUp || !unsaved.isEmpty }
  }

  private let app: App
  private let limit: Duration
  private let report: @Sendable (String) -> Void
  private let outcome = Mutex<Outcome?>(nil)

  /// Creates the ending of an app, which is not ended yet.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - limit: how long the effects that features return from `willEnd` may take.
  ///   - report: receives lines that name the effects that the end waits for, or no longer waits for.
  public init(
    _ app: App, within limit: Duration = .seconds(5), _ report: @escaping @Sendable (String) -> Void
  ) {
    self.app = app
    self.limit = limit
    self.report = report
  }

  /// Ends the app; further calls return the outcome of the first.
  ///
  /// Blocks the calling thread, which must not be one that runs tasks, for at most some seconds
  /// longer than the limit, even if the app's own thread is blocked.
  ///
  /// - Parameters:
  ///   - isHasty: whether effects get only 1 s and are not reported, because the process is about
  ///     to end anyway.
  ///   - waitsForHangs: whether to wait as long for an app whose thread is blocked, so that it
  ///     can't even begin to end.
  /// - Returns: the work that could not be saved.
  @discardableResult
  public func end(isHasty: Bool = false, waitsForHangs: Bool = true) -> Outcome {
    outcome.withLock { outcome in
      if let outcome { return outcome }
      // From here on a request to end does not have the process killed while it saves.
      if let page = WorkerPage.current, page.stage == .running { page.stage = .leaving }
      let hasGivenUp =
        isHasty
        ? app.leave(within: .seconds(1)) { _ in }
        : app.leave(within: limit, waitsForHangs: waitsForHangs, report)
      let new = Outcome(unsaved: UnsavedWork.takeUnreported(), hasGivenUp: hasGivenUp)
      for work in new.unsaved { report(work.description) }
      outcome = new
      return new
    }
  }
}

extension App {
  /// How long ending may take before a line says what it waits for.
  private static let leavingTimeout = Duration.milliseconds(1500)

  /// Ends the app as ``end(within:)`` does, and reports effects that take long or have not ended.
  ///
  /// Blocks the calling thread, which must not be one that runs tasks, for at most two seconds
  /// longer than `limit`, even if the app's own thread is blocked.
  ///
  /// - Parameters:
  ///   - limit: how long the effects that features return from `willEnd` may take.
  ///   - waitsForHangs: whether to wait as long for an app whose thread is blocked.
  ///   - report: receives a line, on the calling thread.
  /// - Returns: whether something that may have been saving had not ended in time. A feature that
  ///   hangs is not, if `waitsForHangs` is `false`: it was never asked to save.
  nonisolated func leave(
    within limit: Duration, waitsForHangs: Bool = true, _ report: (String) -> Void
  ) -> Bool {
    WatchThread.shared.conclude(app: calls.app)
    let roll = EndingProgress()
    let done = DispatchSemaphore(value: 0)
    Task {
      let hasEnded = await end(within: limit) { new in roll.latest.withLock { $0 = new } }
      roll.hasEnded.withLock { $0 = hasEnded }
      done.signal()
    }
    let rest = limit - Self.leavingTimeout
    var isDone = Self.wait(for: done, atMost: min(limit, Self.leavingTimeout)) == .success
    if !isDone {
      if !waitsForHangs, roll.latest.withLock({ $0 }) == nil {
        let culprit = WatchThread.shared.culprit(ofApp: calls.app)
        report(
          "ended without waiting any longer for "
            + (culprit ?? "a feature that keeps the app busy"))
        return false
      }
      if rest > .zero {
        report(
          "ending; waits for \(owners(roll)) for \(Self.seconds(rest)) s more; "
            + "Ctrl-\\ ends it now")
      }
      let timeout = max(.zero, rest) + Self.cancellingTimeout + .seconds(1)
      isDone = Self.wait(for: done, atMost: timeout) == .success
    }
    if roll.hasEnded.withLock({ $0 }) { return false }
    // The effects may have ended since they were counted.
    if isDone, let scopes = roll.latest.withLock({ $0 })?.atWork, scopes.isEmpty { return false }
    report(
      "ended without waiting any longer for \(owners(roll)); what was being saved may be lost")
    return true
  }

  /// The instances whose effects are running, in words.
  private nonisolated func owners(_ roll: EndingProgress) -> String {
    guard let scopes = roll.latest.withLock({ $0 })?.atWork else {
      return "a feature that keeps the app busy"
    }
    let limit = 3
    var names = scopes.prefix(limit).map { scope in
      "'\(WatchedNames.node(Int(scope.node), app: calls.app)?.name ?? "?")' #\(scope.id)"
    }
    if scopes.count > limit { names.append("\(scopes.count - limit) more") }
    // The effects have ended; what is left is to write shared values to their files.
    guard let last = names.popLast() else { return "shared values" }
    return "effects of " + (names.isEmpty ? "" : names.joined(separator: ", ") + " and ") + last
  }

  private static func wait(
    for done: DispatchSemaphore, atMost limit: Duration
  ) -> DispatchTimeoutResult {
    let (seconds, attoseconds) = limit.components
    return done.wait(
      timeout: .now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000)))
  }

  /// A duration in whole seconds, rounded up.
  private static func seconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds + (attoseconds > 0 ? 1 : 0)
  }
}

/// The progress of ending an app, shared by the task that ends it and the thread that waits.
///
/// It outlives that thread's wait.
private final class EndingProgress: Sendable {
  let latest = Mutex<RunningEffects<InstanceScope>?>(nil)
  let hasEnded = Mutex(false)
}
