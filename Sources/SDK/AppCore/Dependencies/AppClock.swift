/// The clock that effects wait on.
///
/// An effect that sleeps on it counts as settled: a script's screen is printed without waiting for
/// the effect. Tests replace it with a clock that they advance by hand.
public struct AppClock: Sendable {
  private let nowSinceStart: @Sendable () -> Duration
  private let sleepUntil:
    nonisolated(nonsending) @Sendable (_ until: Duration, ActiveEffect?) async throws -> Void

  /// Creates a clock from two functions: the time since some fixed moment, and a wait until such a
  /// time has come, which throws `CancellationError` when cancelled.
  public init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (_ until: Duration) async throws -> Void
  ) {
    nowSinceStart = now
    sleepUntil = { deadline, effect in
      effect?.beginWaiting()
      defer { effect?.endWaiting() }
      try await sleep(deadline)
    }
  }

  /// Creates a clock that itself records the effects that sleep on it.
  ///
  /// A clock that is advanced by hand needs this: its store must count an effect as busy before the
  /// effect continues.
  ///
  /// `sleep` calls ``ActiveEffect/beginWaiting()`` once it waits, and ``ActiveEffect/endWaiting()``
  /// before it continues.
  @_spi(Host) public init(
    now: @escaping @Sendable () -> Duration,
    waking sleep: @escaping @Sendable (_ until: Duration, ActiveEffect?) async throws -> Void
  ) {
    nowSinceStart = now
    sleepUntil = { try await sleep($0, $1) }
  }

  /// The machine's clock; it keeps running while the machine sleeps.
  public static let continuous: AppClock = {
    let start = ContinuousClock.now
    return AppClock(
      now: { ContinuousClock.now - start },
      sleep: { try await Task.sleep(until: start + $0, clock: .continuous) })
  }()

  /// A clock that never waits, for tests that are not about time: a sleep advances it to the
  /// deadline.
  public static var immediate: AppClock {
    let time = Guarded(Duration.zero)
    return AppClock(
      now: { time.value },
      sleep: { deadline in
        try Task.checkCancellation()
        time.value = max(time.value, deadline)
        await Task.yield()
      })
  }

  /// The time since some fixed moment.
  public var now: Duration { nowSinceStart() }

  /// Waits for `duration`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
  nonisolated(nonsending) public func sleep(for duration: Duration) async throws {
    try await sleep(until: now + duration)
  }

  /// Waits until ``now`` has reached `deadline`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
  nonisolated(nonsending) public func sleep(until deadline: Duration) async throws {
    // Nonsending, so that an effect counts as waiting before the store's actor continues.
    try await sleepUntil(deadline, ActiveEffect.current)
  }
}

extension AppClock {
  /// A sequence that produces a time whenever an interval has passed, until the task is cancelled.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case ticked }
  ///
  /// func tick() -> Effect<Action> {
  ///   @Dependency(\.clock) var clock
  ///   return .run { send in
  ///     for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
  ///   }
  /// }
  /// ```
  ///
  /// For an effect that does nothing else, use
  /// ``Effect/timer(every:_:fileID:line:)-(_,Action,_,_)``.
  ///
  /// - Parameter interval: positive; the times are multiples of it since the start, so a late one
  ///   does not delay those after it.
  /// - Returns: the times, in terms of ``now``.
  public func timer(interval: Duration) -> AppClockTimer {
    AppClockTimer(clock: self, interval: interval)
  }
}

/// The times at which an interval has passed; see ``AppClock/timer(interval:)``.
public struct AppClockTimer: AsyncSequence, Sendable {
  let clock: AppClock
  let interval: Duration

  public func makeAsyncIterator() -> Iterator {
    Iterator(clock: clock, interval: interval, last: clock.now)
  }

  /// Waits for the times, on one task.
  public struct Iterator: AsyncIteratorProtocol {
    let clock: AppClock
    let interval: Duration
    var last: Duration

    public mutating func next() async -> Duration? { await next(isolation: nil) }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Duration? {
      guard interval > .zero else {
        RuntimeIssue.report(
          """
          a timer with an interval of \(interval) would never wait; it has ended
            - the interval comes from outside: check that it is above zero
          """)
        return nil
      }
      last += interval
      do {
        try await clock.sleep(until: last)
        return last
      } catch {
        return nil
      }
    }
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
