/// An effect that sleeps on a clock, as seen by a clock that is advanced by hand.
@_spi(Host)
public struct SleepingEffect: Sendable {
  private let activity: ActiveEffect

  init(_ activity: ActiveEffect) { self.activity = activity }

  /// The effect waits from now on, and does not keep its store from being settled.
  public func beginWaiting() { activity.beginWaiting() }

  /// The effect is about to continue; its store is not settled until it waits again or ends.
  public func endWaiting() { activity.endWaiting() }

  /// The account of the effect's store.
  public var account: ActivityAccount { ActivityAccount(activity.monitor) }
}

@_spi(Host)
extension AppClock {
  /// A clock that itself records the effects that sleep on it.
  ///
  /// This way an effect is never awake without its store knowing it.
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
