extension Effect {
  /// Performs all of `effects` concurrently.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case began, loaded(String) }
  ///
  /// func load() -> Effect<Action> {
  ///   .merge(
  ///     .send(.began),
  ///     .run { send in await send(.loaded("text")) })
  /// }
  /// ```
  public static func merge(_ effects: Effect...) -> Self { merge(effects) }

  /// Performs all of `effects` concurrently.
  public static func merge(_ effects: some Sequence<Effect>) -> Self {
    combined(effects) {
      .merge($0)
    } parts: {
      if case .merge(let operations) = $0 { operations } else { nil }
    }
  }

  /// Performs `effects` one after another: each starts when the previous one has ended.
  ///
  /// An effect that follows `.send` starts when that action has been reduced; another `.send` is
  /// queued together with it, and can't be cancelled by it.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case saved, closed }
  ///
  /// func saveAndClose() -> Effect<Action> {
  ///   .concatenate(
  ///     .run { send in await send(.saved) },
  ///     .send(.closed))
  /// }
  /// ```
  public static func concatenate(_ effects: Effect...) -> Self { concatenate(effects) }

  /// Performs `effects` one after another: each starts when the previous one has ended.
  public static func concatenate(_ effects: some Sequence<Effect>) -> Self {
    combined(effects) {
      .concatenate($0)
    } parts: {
      if case .concatenate(let operations) = $0 { operations } else { nil }
    }
  }

  /// Runs this effect and `other` concurrently.
  public func merge(with other: Self) -> Self { .merge(self, other) }

  /// Performs `other` when this effect has ended.
  public func concatenate(with other: Self) -> Self { .concatenate(self, other) }

  private static func combined(
    _ effects: some Sequence<Effect>,
    _ combine: ([EffectOperation<Action>]) -> EffectOperation<Action>.Kind,
    parts: (EffectOperation<Action>.Kind) -> [EffectOperation<Action>]?
  ) -> Self {
    var operations: [EffectOperation<Action>] = []
    for effect in effects {
      guard let operation = effect.operation else { continue }
      // Effects that are combined one by one do not become a chain as long as their number.
      if let parts = parts(operation.kind), parts.count < combinedLimit {
        operations += parts
      } else {
        operations.append(operation)
      }
    }
    return switch operations.count {
    case 0: .none
    case 1: Self(operations[0])
    default: Self(combine(operations))
    }
  }

  /// From this number on, effects that were combined stay together.
  private static var combinedLimit: Int { 256 }
}

extension Effect {
  /// Lets ``cancel(id:)`` cancel this effect.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case found([String]) }
  /// enum CancelID { case search }
  ///
  /// func search(_ text: String) -> Effect<Action> {
  ///   .run { send in await send(.found([text])) }
  ///     .cancellable(id: CancelID.search, cancelInFlight: true)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: names the effect among those of the same reducer.
  ///   - cancelInFlight: whether running effects with the same id are cancelled first: those of the
  ///     same reducer, not of its children.
  /// - Returns: the cancellable effect.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Self {
    guard let operation else {
      return cancelInFlight ? Self(.cancel(AnySendableHashable(id), ofChildren: false)) : .none
    }
    return Self(
      .cancellable(operation, id: AnySendableHashable(id), cancelInFlight: cancelInFlight))
  }

  /// Cancels the effects with `id` of the same reducer and of its children, if any.
  ///
  /// Effects of its parent and of its siblings continue.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case stopTapped }
  /// enum CancelID { case search }
  ///
  /// func stop() -> Effect<Action> { .cancel(id: CancelID.search) }
  /// ```
  public static func cancel(id: some Hashable & Sendable) -> Self {
    Self(.cancel(AnySendableHashable(id), ofChildren: true))
  }
}
