/// An effect that sleeps on a clock, as seen by a clock that is advanced by hand.
@_spi(Host)
public struct SleepingEffect: Sendable {
  private let activity: ActiveEffect

  init(_ activity: ActiveEffect) { self.activity = activity }

  /// Records that the effect waits; while it does, its store can count as settled.
  public func beginWaiting() { activity.beginWaiting() }

  /// Records that the effect is about to continue; its store is not settled until the effect waits
  /// again or ends.
  public func endWaiting() { activity.endWaiting() }

  /// The account of the effect's store.
  public var account: ActivityAccount { ActivityAccount(activity.monitor) }
}

@_spi(Host)
extension AppClock {
  /// Creates a clock that itself records the effects that sleep on it.
  ///
  /// A clock that is advanced by hand needs this: its store must count an effect as busy before the
  /// effect continues.
  ///
  /// - Parameters:
  ///   - now: the time since some fixed moment.
  ///   - sleep: returns when that time has come; throws `CancellationError` when cancelled. It
  ///     calls ``SleepingEffect/beginWaiting()`` once it waits, and ``SleepingEffect/endWaiting()``
  ///     before it continues.
  public init(
    now: @escaping @Sendable () -> Duration,
    waking sleep: @escaping @Sendable (_ until: Duration, SleepingEffect?) async throws -> Void
  ) {
    self.init(
      now: now, accountedSleep: { try await sleep($0, $1.map { SleepingEffect($0) }) })
  }
}
