/// Sends actions to a store from other isolation.
///
/// It can be passed to any task. `await sender.send(.tapped)` returns when the store has reduced
/// the action, on the store's actor. It does not hold the store: once that is gone, actions are
/// dropped.
public struct ActionSender<Action: Sendable>: Sendable {
  private let send: @Sendable (Action) async -> StoreTask

  init<State>(_ core: StoreCore<State, Action>) {
    let door = StoreDoor(core)
    send = { await door.send($0) }
  }

  private init(send: @escaping @Sendable (Action) async -> StoreTask) { self.send = send }

  /// The same for a child.
  func scoped<Child: Sendable>(
    _ embed: @escaping @Sendable (Child) -> Action
  ) -> ActionSender<Child> {
    ActionSender<Child> { [send] in await send(embed($0)) }
  }

  fileprivate func deliver(_ action: Action) async -> StoreTask { await send(action) }
}

extension ActionSender where Action: FeatureAction {
  /// Sends a view action.
  ///
  /// - Returns: the effects that are under way once it is reduced.
  @discardableResult
  public func send(_ action: Action.View) async -> StoreTask { await deliver(.view(action)) }
}

extension ActionSender where Action: ComponentAction {
  /// Sends an action.
  ///
  /// - Returns: the effects that are under way once it is reduced.
  @discardableResult
  public func send(_ action: Action) async -> StoreTask { await deliver(action) }
}

extension Store {
  /// Sends to this store from other isolation.
  public var sender: ActionSender<Action> { node.sender() }
}

/// Leads to a store from any thread; every use of the store is on its actor.
private final class StoreDoor<State, Action: Sendable>: @unchecked Sendable {
  // Unchecked: `core` is touched on the actor only.
  private weak var core: StoreCore<State, Action>?
  private let isolation: any Actor

  init(_ core: StoreCore<State, Action>) {
    self.core = core
    isolation = core.isolation
  }

  func send(_ action: Action) async -> StoreTask { await enter(isolation, action) }

  private func enter(_ actor: isolated any Actor, _ action: Action) async -> StoreTask {
    core?.send(action) ?? StoreTask(group: nil)
  }
}
