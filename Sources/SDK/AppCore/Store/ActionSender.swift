/// Sends actions to a store from other isolation.
///
/// It can be passed to any task. `await sender.send(.tapped)` returns when the store has reduced
/// the action, on the store's actor. It does not retain the store: once the store is gone, actions
/// are dropped.
public struct ActionSender<Action: Sendable>: Sendable {
  fileprivate let deliver: @Sendable (Action) async -> StoreTask

  init(deliver: @escaping @Sendable (Action) async -> StoreTask) { self.deliver = deliver }

  /// A sender of a child's actions.
  func scoped<Child: Sendable>(
    _ embed: @escaping @Sendable (Child) -> Action
  ) -> ActionSender<Child> {
    ActionSender<Child> { [deliver] in await deliver(embed($0)) }
  }
}

extension ActionSender where Action: FeatureAction {
  /// Sends a view action.
  @discardableResult
  public func send(_ action: Action.View) async -> StoreTask { await deliver(.view(action)) }
}

extension ActionSender where Action: ComponentAction {
  /// Sends an action.
  @discardableResult
  public func send(_ action: Action) async -> StoreTask { await deliver(action) }
}

extension Store {
  /// A sender for this store that can be used from other isolation.
  public var sender: ActionSender<Action> { node.sender() }
}
