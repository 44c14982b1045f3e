@_spi(Host) internal import AppCore
internal import Dispatch
internal import Navigation
internal import Sessions
internal import Supervision
internal import Support
internal import Synchronization

/// Ends an app once, whoever asks for it: later calls wait for the first and get its outcome.
///
/// An app ends when a line or a signal asks for it, when the input ends, or when the output can't
/// be written. Several of these may happen at once, on different threads.
public final class AppEnding: Sendable {
  private let app: App
  private let limit: Duration
  private let report: @Sendable (String) -> Void
  private let isIncomplete = Mutex<Bool?>(nil)
  /// The effects that the end waits for; `nil` before it has begun on the app's thread.
  private let running = Mutex<RunningEffects<InstanceScope>?>(nil)
  private let hasSettled = Mutex(false)

  /// How long ending may take before a line says what it waits for.
  private static let patience = Duration.milliseconds(1500)

  /// Creates the ending of an app, which is not ended yet.
  ///
  /// The effects that features return from `willEnd` may take `limit`; `report` receives lines that
  /// name the effects that the end waits for, or no longer waits for.
  public init(
    _ app: App, within limit: Duration = .seconds(5), _ report: @escaping @Sendable (String) -> Void
  ) {
    self.app = app
    self.limit = limit
    self.report = report
  }

  /// Ends the app; further calls return the outcome of the first.
  ///
  /// Blocks the calling thread, which must not be one that runs tasks, for at most two seconds
  /// longer than the limit, even if the app's own thread is blocked.
  ///
  /// - Parameters:
  ///   - isHasty: whether effects get only 1 s and are not reported, because the process is about
  ///     to end anyway.
  ///   - waitsForHangs: whether to wait as long for an app whose thread is blocked, so that it
  ///     can't even begin to end. A feature that hangs then loses nothing: it was never asked to
  ///     save.
  /// - Returns: whether something was lost, or may be: work that features could not save, or that
  ///   had not ended in time.
  @discardableResult
  public func end(isHasty: Bool = false, waitsForHangs: Bool = true) -> Bool {
    isIncomplete.withLock { isIncomplete in
      if let isIncomplete { return isIncomplete }
      // From here on a request to end does not have the process killed while it saves.
      if let page = SharedCrashPage.current, page.stage == .running { page.stage = .leaving }
      let hasGivenUp =
        isHasty
        ? leave(within: .seconds(1), waitsForHangs: true) { _ in }
        : leave(within: limit, waitsForHangs: waitsForHangs, report)
      let unsaved = UnsavedWork.takeUnreported()
      for work in unsaved { report(work.description) }
      isIncomplete = hasGivenUp || !unsaved.isEmpty
      return hasGivenUp || !unsaved.isEmpty
    }
  }

  /// Ends the app; returns whether something that may have been saving had not ended in time.
  private func leave(
    within limit: Duration, waitsForHangs: Bool, _ report: (String) -> Void
  ) -> Bool {
    WatchedApp.watchdog(ofApp: app.calls.app)?.conclude()
    let done = DispatchSemaphore(value: 0)
    Task {
      let hasEnded = await app.end(within: limit) { new in running.withLock { $0 = new } }
      hasSettled.withLock { $0 = hasEnded }
      done.signal()
    }
    let rest = limit - Self.patience
    var isDone = Self.wait(for: done, atMost: min(limit, Self.patience)) == .success
    if !isDone {
      if !waitsForHangs, running.withLock({ $0 }) == nil {
        report(
          "ended without waiting any longer for "
            + (culprit ?? "a feature that keeps the app busy"))
        return false
      }
      if rest > .zero {
        let (seconds, attoseconds) = rest.components
        report(
          "ending; waits for \(owners) for \(seconds + (attoseconds > 0 ? 1 : 0)) s more; "
            + "Ctrl-\\ ends it now")
      }
      let timeout = max(.zero, rest) + App.cancellingTimeout + .seconds(1)
      isDone = Self.wait(for: done, atMost: timeout) == .success
    }
    if hasSettled.withLock({ $0 }) { return false }
    // The effects may have ended since they were counted.
    if isDone, let scopes = running.withLock({ $0 })?.atWork, scopes.isEmpty { return false }
    report(
      "ended without waiting any longer for \(owners); what was being saved may be lost")
    return true
  }

  /// Whose code keeps the app busy; `nil` if that is not known in time, since to describe an action runs
  /// the feature's code.
  private var culprit: String? {
    let (number, found, isFound) = (
      app.calls.app, Locked<String?>(nil), DispatchSemaphore(value: 0)
    )
    DetachedThread.start {
      let culprit = Watchdog.culprit(ofApp: number)
      found.withLock { $0 = culprit }
      isFound.signal()
    }
    _ = Self.wait(for: isFound, atMost: .milliseconds(500))
    return found.withLock { $0 }
  }

  /// The instances whose effects are running, in words.
  private var owners: String {
    guard let scopes = running.withLock({ $0 })?.atWork else {
      return "a feature that keeps the app busy"
    }
    let limit = 3
    var names = scopes.prefix(limit).map { scope in
      "'\(WatchedApp.node(Int(scope.node), app: app.calls.app)?.name ?? "?")' #\(scope.id)"
    }
    if scopes.count > limit { names.append("\(scopes.count - limit) more") }
    // The effects have ended; what is left is to write shared values to their files.
    guard let last = names.popLast() else { return "shared values" }
    return "effects of " + (names.isEmpty ? "" : names.joined(separator: ", ") + " and ") + last
  }

  private static func wait(
    for done: DispatchSemaphore, atMost limit: Duration
  ) -> DispatchTimeoutResult {
    done.wait(timeout: .now() + .nanoseconds(limit.nanoseconds))
  }
}

extension App {
  /// Cancels every effect and releases all instances at once, without calling `willEnd`.
  ///
  /// Running effects retain their app, so one that is only released lives until they end.
  /// Afterwards nothing is shown, lines are refused, and ``begin()`` starts the app afresh.
  public func end() { tearDown() }

  /// Lets features finish their work, then cancels every effect and releases all instances.
  ///
  /// 1. A text of several lines that is being typed full screen is sent. Then no more lines are accepted,
  ///    and `willEnd` is called for each instance.
  /// 2. The effects that it returns have `limit` to end, with the effects that they start in turn
  ///    and those of instances that were removed before. So have the effects that are already
  ///    running for an instance whose state `willEnd` has changed, such as a save that another is
  ///    to follow.
  /// 3. Other running effects then have up to one second more, within `limit`.
  /// 4. All effects are cancelled, and have the rest of `limit`, but at least one second, to react.
  ///
  /// - Returns: whether all effects have ended.
  @discardableResult
  public func end(within limit: Duration) async -> Bool { await end(within: limit) { _ in } }

  /// How long to wait for effects that are not part of `willEnd`, and for cancelled ones.
  static let cancellingTimeout = Duration.seconds(1)
  /// How often the running effects are checked.
  private static let lookInterval = Duration.milliseconds(100)

  /// Ends the app; `waits` is called repeatedly with the effects that the end waits for.
  func end(
    within limit: Duration, _ waits: @Sendable (RunningEffects<InstanceScope>) -> Void
  ) async -> Bool {
    let deadline = ContinuousClock.now + limit
    await conversation.sendText(in: self)
    isEnding = true
    // Not the store itself: its effects are cancelled when it is released.
    guard let account = store?.activityAccount, let (due, ending) = sendWillEnd() else {
      return true
    }
    if let roll { waits(roll) }
    await due.finish(within: limit)
    await removedHaveEnded(before: deadline)
    let timeout = min(deadline, .now + Self.cancellingTimeout)
    while let roll, case let now = ContinuousClock.now, now < deadline {
      waits(roll)
      guard now < timeout || roll.atWork.contains(where: { ending.contains($0.id) }),
        await !account.settled(within: min(Self.lookInterval, deadline - now))
      else { break }
    }
    let recorder = stepRecorder
    tearDown()
    await recorder?.end()
    let hasSettled = await account.settled(within: max(Self.cancellingTimeout, deadline - .now))
    // Last, because effects may change shared values when they are cancelled.
    await saveSharedValues()
    return hasSettled
  }

  /// Writes the shared values that have changed to their files.
  private nonisolated func saveSharedValues() async {
    let values = dependencies ?? DependencyValues()
    await withDependencies {
      $0 = values
    } operation: {
      await values.sharedStorage.saveAll()
    }
  }

  private var roll: RunningEffects<InstanceScope>? { store?.runningEffects(of: InstanceScope.self) }

  /// Calls `willEnd` for each instance.
  ///
  /// - Returns: the task of the returned effects, and the instances whose effects were running and
  ///   whose state `willEnd` has changed; `nil` if the app is not running.
  private func sendWillEnd() -> (due: StoreTask, changed: Set<InstanceID>)? {
    let before = (roll?.atWork ?? []).map { ($0.id, dump(of: $0.id)) }
    guard let due = store?.send(.end) else { return nil }
    // A state that can't be encoded may have changed.
    return (due, Set(before.filter { $1 == nil || $1 != dump(of: $0) }.map(\.0)))
  }

  /// Waits for the `willEnd` effects of instances that were removed before.
  private func removedHaveEnded(before deadline: ContinuousClock.Instant) async {
    await wait(until: { !state.isEnding }) {
      try? await Task.sleep(until: deadline, clock: .continuous)
    }
  }
}

extension StoreTask {
  /// Waits at most `limit` for the effects; those that have not ended by then continue.
  fileprivate func finish(within limit: Duration) async {
    guard !hasEnded else { return }
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    // A task of its own, so that cancelling the caller does not cancel the effects.
    Task {
      await finish()
      continuation.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: limit)
      continuation.finish()
    }
    for await _ in ends {}
    timer.cancel()
  }
}
