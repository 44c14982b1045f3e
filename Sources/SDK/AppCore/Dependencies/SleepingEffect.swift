/// An effect that sleeps on a clock: what a clock that is advanced by hand has to tell its store.
@_spi(Host)
public struct SleepingEffect: Sendable {
  private let activity: EffectActivity

  init(_ activity: EffectActivity) { self.activity = activity }

  /// The effect waits from now on, and does not keep its store from being settled.
  public func beginWaiting() { activity.beginWaiting() }

  /// The effect is about to go on; its store is not settled until it waits again or ends.
  public func endWaiting() { activity.endWaiting() }

  /// The account of the effect's store.
  public var account: ActivityAccount { ActivityAccount(activity.monitor) }
}

@_spi(Host)
extension AppClock {
  /// A clock that keeps account itself of the effects that sleep on it.
  ///
  /// With it nothing can come between an effect's being woken and its store's knowing that.
  ///
  /// - Parameters:
  ///   - now: the time since some fixed moment.
  ///   - sleep: returns when that time has come; throws `CancellationError` when cancelled. It
  ///     calls ``SleepingEffect/beginWaiting()`` once it waits, and
  ///     ``SleepingEffect/endWaiting()`` before it goes on.
  public init(
    now: @escaping @Sendable () -> Duration,
    waking sleep: @escaping @Sendable (_ until: Duration, SleepingEffect?) async throws -> Void
  ) {
    self.init(
      now: now, accountedSleep: { try await sleep($0, $1.map { SleepingEffect($0) }) })
  }
}
