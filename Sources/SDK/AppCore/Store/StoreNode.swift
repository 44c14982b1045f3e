/// What a store refers to: the root, or a part of it.
protocol StoreNode<State, Action>: AnyObject {
  associatedtype State
  associatedtype Action: Sendable

  var root: any AnyStoreCore { get }
  /// The current state; `nil` for a child that is gone.
  var current: State? { get }
  /// The current state, or the last one of a child that is gone.
  var state: State { get }
  /// Sends an action; if the child is gone, it is dropped and reported once.
  func send(_ action: Action) -> StoreTask
  /// Sends the root action in which `action` is wrapped.
  func forward(_ action: Action) -> StoreTask
  /// Calls `body` with the state whenever no action is waiting, while there is one.
  func observe(_ body: @escaping (State) -> Void) -> StoreObservation
  func listen(_ body: @escaping (Action) -> Void) -> StoreObservation
  func sender() -> ActionSender<Action>
}

/// A part of a store's state, for the actions of one case.
///
/// However many parts lie between, a read and a send pass each of them once.
final class ChildNode<Parent, ParentAction: Sendable, State, Action: Sendable>: StoreNode {
  let root: any AnyStoreCore
  private let parent: any StoreNode<Parent, ParentAction>
  private let project: (Parent) -> State?
  /// The child's last state, once it is gone.
  private let last: () -> State?
  private let path: CasePath<ParentAction, Action>
  private let site: OperatorSite
  private var hasReported = false

  init(
    _ parent: any StoreNode<Parent, ParentAction>, _ path: CasePath<ParentAction, Action>,
    _ site: OperatorSite, project: @escaping (Parent) -> State?, last: @escaping () -> State?
  ) {
    root = parent.root
    self.parent = parent
    self.path = path
    self.site = site
    self.project = project
    self.last = last
  }

  var current: State? { parent.current.flatMap(project) }

  var state: State {
    if let state = current ?? project(parent.state) ?? last() { return state }
    fatalError(
      """
      the store of a dismissed child was read, whose state, a \(State.self), was taken out where it \
      was, as by 'state.child.take()': assign 'nil' instead, and the store shows the last state
      """)
  }

  func forward(_ action: Action) -> StoreTask { parent.forward(path.embed(action)) }

  func send(_ action: Action) -> StoreTask {
    if current != nil { return forward(action) }
    if !hasReported { reportGone(action) }
    return StoreTask(group: nil)
  }

  private func reportGone(_ action: Action) {
    hasReported = true
    site.report(
      "a store of a child that is gone was sent an action; this one and further ones are dropped",
      action: action,
      causes: [
        "the child was dismissed, or its element removed, and somebody kept its store: let go "
          + "of the store when the child goes",
        "a child came back later, or as another case: scope the parent's store again",
      ])
  }

  // The closures retain no node: the root retains its observers, so that would be a retain cycle.

  func observe(_ body: @escaping (State) -> Void) -> StoreObservation {
    parent.observe { [project] in if let state = project($0) { body(state) } }
  }

  func listen(_ body: @escaping (Action) -> Void) -> StoreObservation {
    parent.listen { [path] in if let action = path.extract($0) { body(action) } }
  }

  func sender() -> ActionSender<Action> { parent.sender().scoped(path.embed) }
}
