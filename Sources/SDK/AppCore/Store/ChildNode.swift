/// A part of a store's state, for the actions of one case.
///
/// Except for an optional child's last state, it holds no copy of the state: a second reference
/// would make changes copy. Each kind of child has its own class: a function that may copy the
/// child reserves the stack for that in any case, and a presented child may be larger than the
/// stack.
protocol ChildNode<State, Action>: StoreNode {
  associatedtype Parent
  associatedtype ParentAction: Sendable

  var parent: any StoreNode<Parent, ParentAction> { get }
  var action: CasePath<ParentAction, Action> { get }
  var absence: AbsentChild { get }
  /// Calls a function with the child's state, if there is one.
  ///
  /// The closure retains no node: the root retains its observers, so that would be a retain cycle.
  var reading: (borrowing Parent, (borrowing State) -> Void) -> Void { get }
}

extension ChildNode {
  var root: any AnyStoreCore { parent.root }

  func send(_ childAction: Action) -> StoreTask {
    guard isGone else { return forward(childAction) }
    absence.report(childAction)
    return StoreTask(group: nil)
  }

  func forward(_ childAction: Action) -> StoreTask { parent.forward(action.embed(childAction)) }

  func observe(_ body: @escaping (borrowing State) -> Void) -> StoreObservation {
    let reading = reading
    return parent.observe { reading($0, body) }
  }

  func listen(_ body: @escaping (Action) -> Void) -> StoreObservation {
    parent.listen { [action] in if let own = action.extract($0) { body(own) } }
  }

  func sender() -> ActionSender<Action> { parent.sender().scoped(action.embed) }
}

/// Reports the first action that is sent to a child that is gone.
final class AbsentChild {
  private let site: OperatorSite
  private var hasReported = false

  init(_ site: OperatorSite) { self.site = site }

  func report(_ action: Any) {
    guard !hasReported else { return }
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
}

/// A child that is always there.
final class PartNode<Parent, ParentAction: Sendable, State, Action: Sendable>: ChildNode {
  let parent: any StoreNode<Parent, ParentAction>
  let action: CasePath<ParentAction, Action>
  let absence: AbsentChild
  private let path: KeyPath<Parent, State>

  init(
    _ parent: any StoreNode<Parent, ParentAction>, _ path: KeyPath<Parent, State>,
    _ action: CasePath<ParentAction, Action>, _ site: OperatorSite
  ) {
    self.parent = parent
    self.path = path
    self.action = action
    absence = AbsentChild(site)
  }

  var state: State { _read { yield parent.state[keyPath: path] } }
  func read<Value>(_ property: KeyPath<State, Value>) -> Value {
    parent.read(path.appending(path: property))
  }

  var isGone: Bool { parent.isGone }
  var reading: (borrowing Parent, (borrowing State) -> Void) -> Void {
    { [path] in $1((copy $0)[keyPath: path]) }
  }
}

/// A child that is presented; once it is gone, its state is the last one that it had.
final class PresentedNode<Parent, ParentAction: Sendable, State, Action: Sendable>: ChildNode {
  let parent: any StoreNode<Parent, ParentAction>
  let action: CasePath<ParentAction, Action>
  let absence: AbsentChild
  private let path: KeyPath<Parent, PresentationState<State>>
  private let child = PresentedChild<State>()

  init(
    _ parent: any StoreNode<Parent, ParentAction>,
    _ path: KeyPath<Parent, PresentationState<State>>,
    _ action: CasePath<ParentAction, Action>, _ site: OperatorSite
  ) {
    self.parent = parent
    self.path = path
    self.action = action
    absence = AbsentChild(site)
  }

  /// The child's box, looked up once for each change of the store; `nil` if the child is gone.
  private var box: PresentationBox<State>? {
    let version = root.version
    if child.version == version { return child.box }
    child.see(parent.isGone ? nil : parent.state[keyPath: path].box, at: version)
    return child.box
  }

  private var place: UnsafePointer<State> { UnsafePointer(box?.value ?? child.last) }

  var state: State { _read { yield place.pointee } }
  func read<Value>(_ property: KeyPath<State, Value>) -> Value { place.read(property) }

  var isGone: Bool { box == nil }
  var reading: (borrowing Parent, (borrowing State) -> Void) -> Void {
    { [path] parent, body in
      if let box = (copy parent)[keyPath: path].box { body(box.value.pointee) }
    }
  }
}

/// A child that may be absent; once it is gone, its state is the last one that was read.
final class OptionalNode<Parent, ParentAction: Sendable, State, Action: Sendable>: ChildNode {
  let parent: any StoreNode<Parent, ParentAction>
  let action: CasePath<ParentAction, Action>
  let absence: AbsentChild
  private let project: (borrowing Parent) -> State?
  private var last: State

  /// Creates a node for a child that exists now, with the state `now`.
  init(
    _ parent: any StoreNode<Parent, ParentAction>,
    _ project: @escaping (borrowing Parent) -> State?, now: State,
    _ action: CasePath<ParentAction, Action>, _ site: OperatorSite
  ) {
    self.parent = parent
    self.project = project
    self.action = action
    absence = AbsentChild(site)
    last = now
  }

  var state: State {
    _read {
      if let now = project(parent.state) { last = now }
      yield last
    }
  }

  func read<Value>(_ property: KeyPath<State, Value>) -> Value { state[keyPath: property] }

  var isGone: Bool { parent.isGone || project(parent.state) == nil }
  var reading: (borrowing Parent, (borrowing State) -> Void) -> Void {
    { [project] in if let child = project($0) { $1(child) } }
  }
}
