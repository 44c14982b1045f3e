/// Sends actions from inside an effect.
///
/// `await send(.internal(.loaded(x)))` goes on when the store has taken the action in. After the
/// effect was cancelled it sends nothing.
///
/// Logic that several effects share takes it as a parameter:
///
/// ```swift
/// enum Action: ComponentAction { case progressed(Int), finished }
///
/// func report(_ steps: Int, to send: Send<Action>) async {
///   for step in 1...steps { await send(.progressed(step)) }
/// }
///
/// func work() -> Effect<Action> {
///   .run { send in
///     await report(3, to: send)
///     await send(.finished)
///   }
/// }
/// ```
public struct Send<Action: Sendable>: Sendable {
  private let channel: EffectChannel<Action>

  package init(channel: EffectChannel<Action>) { self.channel = channel }

  nonisolated(nonsending) private func deliver(_ action: Action) async {
    // The store drops what a cancelled effect sends, and takes note where it has to.
    await channel.deliver(action)
  }
}

extension Send where Action: FeatureAction {
  /// Sends an internal or a delegate action of the feature.
  nonisolated(nonsending) public func callAsFunction(_ emission: Emission<Action>) async {
    await deliver(emission.action)
  }
}

extension Send where Action: ComponentAction {
  /// Sends an action of the component.
  nonisolated(nonsending) public func callAsFunction(_ action: Action) async {
    await deliver(action)
  }
}
