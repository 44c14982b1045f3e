/// What a store stands for: a root, or a part of one.
protocol StoreNode<State, Action>: AnyObject {
  associatedtype State
  associatedtype Action: Sendable

  var root: any AnyStoreCore { get }
  /// The state as it is now, in place.
  @_borrowed var state: State { get }
  /// Whether the child is not there now.
  var isGone: Bool { get }

  /// Sends an action; where the child is gone, it is dropped and reported once.
  func send(_ action: Action) -> StoreTask
  /// Sends to the root what stands for `action` there.
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

/// A part of a store's state, for the actions of one case.
///
/// It holds no copy of the state, so that changing it never copies; and when a child that was
/// presented has gone, it shows the last state there was. Of a child that may be absent and is not
/// presented, that takes a copy of what was read last.
final class ChildNode<Parent, ParentAction: Sendable, State, Action: Sendable>: StoreNode {
  private var parent: any StoreNode<Parent, ParentAction>
  private let place: ChildPlace<Parent, State>
  private let action: CasePath<ParentAction, Action>
  private let site: OperatorSite
  private var presented: PresentedChild<State>?
  /// What was read last of a child that is not presented.
  private var last: LastRead?

  // Behind a reference: even nothing would be as large as a child.
  private final class LastRead {
    var state: State
    init(_ state: State) { self.state = state }
  }

  private var hasReported = false

  init(
    _ parent: any StoreNode<Parent, ParentAction>, _ place: ChildPlace<Parent, State>,
    _ action: CasePath<ParentAction, Action>, _ site: OperatorSite
  ) {
    self.parent = parent
    self.place = place
    self.action = action
    self.site = site
    guard case .presented = place else { return }
    presented = PresentedChild()
    _ = presentedBox
  }

  /// A child that may be absent, and is there now.
  convenience init(
    _ parent: any StoreNode<Parent, ParentAction>,
    _ project: @escaping (borrowing Parent) -> State?, now: State,
    _ action: CasePath<ParentAction, Action>, _ site: OperatorSite
  ) {
    self.init(parent, .optional(project), action, site)
    last = LastRead(now)
  }

  var root: any AnyStoreCore { parent.root }

  /// Where the child is, if it is presented; looked up once for each change of the store.
  private var presentedBox: PresentationBox<State>? {
    guard case .presented(let path) = place, let presented else { return nil }
    let version = root.version
    if presented.version == version { return presented.box }
    presented.see(parent.isGone ? nil : parent.state[keyPath: path].box, at: version)
    return presented.box
  }

  var state: State {
    _read {
      switch place {
      case .path(let path): yield parent.state[keyPath: path]
      case .presented:
        if let box = presentedBox {
          yield box.value.pointee
        } else {
          yield presented.unsafelyUnwrapped.last.pointee
        }
      case .optional(let project):
        if let now = project(parent.state) { last = LastRead(now) }
        // There is one: without a child there is no such node.
        yield last.unsafelyUnwrapped.state
      }
    }
  }

  var isGone: Bool {
    switch place {
    case .path: parent.isGone
    case .presented: presentedBox == nil
    case .optional(let project): parent.isGone || project(parent.state) == nil
    }
  }

  func send(_ childAction: Action) -> StoreTask {
    guard isGone else { return forward(childAction) }
    if !hasReported {
      hasReported = true
      site.report(
        "a store of a child that is gone was sent an action; this one and further ones are dropped",
        action: childAction,
        causes: [
          "the child was dismissed, or its element removed, and somebody kept its store: let go "
            + "of the store when the child goes",
          "a child came back later, or as another case: scope the parent's store again",
        ])
    }
    return StoreTask(group: nil)
  }

  func forward(_ childAction: Action) -> StoreTask { parent.forward(action.embed(childAction)) }

  func observe(_ body: @escaping (borrowing State) -> Void) -> StoreObservation {
    // Not this node, which holds the root: the root would hold itself.
    parent.observe { [place] in place.read($0, body) }
  }

  func listen(_ body: @escaping (Action) -> Void) -> StoreObservation {
    parent.listen { [action] in if let own = action.extract($0) { body(own) } }
  }

  func sender() -> ActionSender<Action> { parent.sender().scoped(action.embed) }
}

/// Where a child's state is in its parent's.
enum ChildPlace<Parent, Child> {
  /// Always there.
  case path(KeyPath<Parent, Child>)
  /// There while it is presented.
  case presented(KeyPath<Parent, PresentationState<Child>>)
  /// There at times.
  case optional((borrowing Parent) -> Child?)

  /// Calls `body` with the state, if there is one.
  func read(_ parent: borrowing Parent, _ body: (borrowing Child) -> Void) {
    switch self {
    case .path(let path): body((copy parent)[keyPath: path])
    case .presented(let path):
      if let box = (copy parent)[keyPath: path].box { body(box.value.pointee) }
    case .optional(let project):
      if let child = project(parent) { body(child) }
    }
  }
}
