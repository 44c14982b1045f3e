/// The node that a store refers to: a root, or a part of one.
protocol StoreNode<State, Action>: AnyObject {
  associatedtype State
  associatedtype Action: Sendable

  var root: any AnyStoreCore { get }
  /// The current state, in place.
  @_borrowed var state: State { get }
  /// Reads a property of the state in place.
  func read<Value>(_ property: KeyPath<State, Value>) -> Value
  /// Whether the child no longer exists.
  var isGone: Bool { get }

  /// Sends an action; if the child is gone, it is dropped and reported once.
  func send(_ action: Action) -> StoreTask
  /// Sends the root action in which `action` is wrapped.
  func forward(_ action: Action) -> StoreTask
  func observe(_ body: @escaping (borrowing State) -> Void) -> StoreObservation
  func listen(_ body: @escaping (Action) -> Void) -> StoreObservation
  func sender() -> ActionSender<Action>
}

extension StoreCore: StoreNode {
  var root: any AnyStoreCore { self }
  var isGone: Bool { false }

  func forward(_ action: Action) -> StoreTask { send(action) }

  func listen(_ body: @escaping (Action) -> Void) -> StoreObservation {
    listen { (link: borrowing SendChain<Action>) in body(link.action) }
  }

  func sender() -> ActionSender<Action> { ActionSender(self) }
}
