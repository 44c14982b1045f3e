/// The clock that effects wait on.
///
/// An effect that sleeps here counts as settled: a script's screen is printed without waiting for
/// it. Tests put a clock in its place that they advance by hand.
public struct AppClock: Sendable {
  package typealias AccountedSleep =
    nonisolated(nonsending) @Sendable (_ until: Duration, ActiveEffect?) async throws -> Void

  private let nowSinceStart: @Sendable () -> Duration
  private let sleepUntil: AccountedSleep

  /// A clock of two functions.
  ///
  /// - Parameters:
  ///   - now: the time since some fixed moment.
  ///   - sleep: returns when that time has come; throws `CancellationError` when cancelled.
  public init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (_ until: Duration) async throws -> Void
  ) {
    self.init(
      now: now,
      accountedSleep: { deadline, effect in
        effect?.beginWaiting()
        defer { effect?.endWaiting() }
        try await sleep(deadline)
      })
  }

  /// A clock that itself records which effect is sleeping.
  ///
  /// - Parameters:
  ///   - now: the time since some fixed moment.
  ///   - sleep: returns when that time has come. It must call the effect's methods when it begins
  ///     to wait, and before it continues.
  package init(
    now: @escaping @Sendable () -> Duration,
    accountedSleep sleep: @escaping AccountedSleep
  ) {
    nowSinceStart = now
    sleepUntil = sleep
  }

  /// The machine's clock; it keeps running while the machine sleeps.
  public static let continuous: AppClock = {
    let start = ContinuousClock.now
    return AppClock(
      now: { ContinuousClock.now - start },
      sleep: { try await Task.sleep(until: start + $0, clock: .continuous) })
  }()

  /// The time since some fixed moment.
  public var now: Duration { nowSinceStart() }

  /// Waits for `duration`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  nonisolated(nonsending) public func sleep(for duration: Duration) async throws {
    try await sleep(until: now + duration)
  }

  /// Waits until `deadline`, by ``now``.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  nonisolated(nonsending) public func sleep(until deadline: Duration) async throws {
    // Nonsending, so that an effect counts as waiting before the store's actor continues.
    try await sleepUntil(deadline, ActiveEffect.current)
  }
}

extension DependencyValues {
  /// The clock that effects wait on.
  public var clock: AppClock {
    get { self[AppClockKey.self] }
    set { self[AppClockKey.self] = newValue }
  }
}

private enum AppClockKey: DependencyKey {
  static var liveValue: AppClock { .continuous }
}
