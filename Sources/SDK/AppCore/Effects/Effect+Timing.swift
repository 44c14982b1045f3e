extension Effect {
  /// Performs this effect once `duration` has passed without another effect with the same `id`.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case searched(String) }
  /// enum WaitID { case typing }
  ///
  /// func typed(_ text: String) -> Effect<Action> {
  ///   .run { send in await send(.searched(text)) }
  ///     .debounce(id: WaitID.typing, for: .milliseconds(300))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: identifies the effects that replace each other, among those of the same reducer.
  ///   - duration: how long to wait, on the dependency `clock`.
  /// - Returns: the debounced effect.
  public func debounce(id: some Hashable & Sendable, for duration: Duration) -> Self {
    guard let operation else { return .none }
    let wait = EffectRun<Action>(priority: nil) { _ in
      // Cancelled: another effect has replaced this one, and the concatenation ends.
      try? await DependencyValues.current.clock.sleep(for: duration)
    }
    return Self(.concatenate([EffectOperation(.run(wait)), operation])).cancellable(
      id: id, cancelInFlight: true)
  }

  /// Runs at most one effect with the same `id` per interval.
  ///
  /// The first one runs immediately. Of those that arrive during the interval, one runs when it is
  /// over: the latest or the earliest.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case moved(Int) }
  /// enum ThrottleID { case moves }
  ///
  /// func dragged(to position: Int) -> Effect<Action> {
  ///   .send(.moved(position)).throttle(id: ThrottleID.moves, for: .milliseconds(50), latest: true)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: identifies the effects that share an interval, among those of the same reducer.
  ///   - interval: the length of an interval, on the dependency `clock`.
  ///   - latest: whether the latest or the earliest of those that arrive during the interval runs.
  /// - Returns: the throttled effect, which may wait or be dropped.
  public func throttle(
    id: some Hashable & Sendable, for interval: Duration, latest: Bool
  ) -> Self {
    guard let operation else { return .none }
    let options = ThrottleOptions(
      id: AnySendableHashable(id), interval: interval, latest: latest,
      clock: DependencyValues.current.clock)
    return Self(.throttled(operation, options))
  }
}

extension Effect where Action: FeatureAction {
  /// Sends an action repeatedly.
  ///
  /// ```swift
  /// enum Action: FeatureAction {
  ///   enum Internal: Sendable { case ticked }
  ///   case `internal`(Internal)
  /// }
  /// enum CancelID { case clock }
  ///
  /// func start() -> Effect<Action> {
  ///   .timer(every: .seconds(1), .internal(.ticked)).cancellable(id: CancelID.clock)
  /// }
  /// ```
  ///
  /// `interval` is the time between actions, and before the first one, on the dependency `clock`.
  ///
  /// - Returns: an effect that does not end by itself; make it cancellable.
  public static func timer(
    every interval: Duration, _ emission: Emission<Action>, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Self { ticking(interval, emission.action, fileID, line) }
}

extension Effect where Action: ComponentAction {
  /// Sends an action repeatedly; see the overload for features.
  public static func timer(
    every interval: Duration, _ action: Action, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Self { ticking(interval, action, fileID, line) }
}

extension Effect {
  fileprivate static func ticking(
    _ interval: Duration, _ action: Action, _ fileID: StaticString, _ line: UInt
  ) -> Self {
    guard interval > .zero else {
      OperatorSite(name: "timer", fileID: fileID, line: line).report(
        "an interval of \(interval) would send without end; the timer was left out", action: action,
        causes: ["the interval comes from outside: check that it is above zero"])
      return .none
    }
    return run { send in
      for await _ in DependencyValues.current.clock.timer(interval: interval) {
        await send.deliver(action)
      }
    }
  }
}
