/// What a scoped store shows of its root, whose types it hides.
class StoreScope<State, Action: Sendable> {
  var root: AnyStoreCore { unreachable() }
  var state: State { unreachable() }
  /// Whether the child is not there now.
  var isGone: Bool { unreachable() }
  func send(_ action: Action) -> StoreTask { unreachable() }
  func observe(_ body: @escaping (State) -> Void) -> StoreObservation { unreachable() }
  func listen(_ body: @escaping (Action) -> Void) -> StoreObservation { unreachable() }
  func sender() -> ActionSender<Action> { unreachable() }

  /// The part of this part at `child`, whose state is `now`.
  func scoped<Child, ChildAction>(
    to child: StoreChild<State, Child>, _ now: Child, _ action: CasePath<Action, ChildAction>,
    _ site: OperatorSite
  ) -> StoreScope<Child, ChildAction> { unreachable() }

  private func unreachable() -> Never {
    fatalError("\(Self.self) does not implement what a scope of a store must")
  }
}

/// Where a child's state is in its parent's.
enum StoreChild<Parent, Child> {
  /// Always there.
  case path(KeyPath<Parent, Child>)
  /// There at times.
  case optional((Parent) -> Child?)

  func state(in parent: Parent) -> Child? {
    switch self {
    case .path(let path): parent[keyPath: path]
    case .optional(let project): project(parent)
    }
  }

  /// The grandchild's place in the parent, in one step.
  func appending<Grandchild>(
    _ child: StoreChild<Child, Grandchild>
  ) -> StoreChild<Parent, Grandchild> {
    switch (self, child) {
    case (.path(let outer), .path(let inner)): .path(outer.appending(path: inner))
    default: .optional { parent in state(in: parent).flatMap { child.state(in: $0) } }
    }
  }
}

/// A scope whose root is known: however many scopes lie between, it reads the root's state and sends
/// to the root.
final class StoreScopeOf<Root, RootAction: Sendable, State, Action: Sendable>:
  StoreScope<State, Action>
{
  private let core: StoreCore<Root, RootAction>
  private let child: StoreChild<Root, State>
  private let action: CasePath<RootAction, Action>
  private let site: OperatorSite
  /// The state that was read last, for when the child is gone.
  private var last: State
  private var hasReported = false

  init(
    _ core: StoreCore<Root, RootAction>, _ child: StoreChild<Root, State>, _ now: State,
    _ action: CasePath<RootAction, Action>, _ site: OperatorSite
  ) {
    self.core = core
    self.child = child
    self.action = action
    self.site = site
    last = now
  }

  override var root: AnyStoreCore { core }

  override var state: State {
    if let now = child.state(in: core.state) { last = now }
    return last
  }

  override var isGone: Bool {
    guard case .optional(let project) = child else { return false }
    return project(core.state) == nil
  }

  override func send(_ childAction: Action) -> StoreTask {
    if isGone {
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
    return core.send(action.embed(childAction))
  }

  override func observe(_ body: @escaping (State) -> Void) -> StoreObservation {
    // Not this scope, which holds the root: the root would hold itself.
    core.observe { [child] root in
      if let state = child.state(in: copy root) { body(state) }
    }
  }

  override func listen(_ body: @escaping (Action) -> Void) -> StoreObservation {
    core.listen { [action] link in
      if let own = action.extract(link.action) { body(own) }
    }
  }

  override func sender() -> ActionSender<Action> { ActionSender(core, action.embed) }

  override func scoped<Child, ChildAction>(
    to child: StoreChild<State, Child>, _ now: Child, _ action: CasePath<Action, ChildAction>,
    _ site: OperatorSite
  ) -> StoreScope<Child, ChildAction> {
    StoreScopeOf<Root, RootAction, Child, ChildAction>(
      core, self.child.appending(child), now, self.action.appending(action), site)
  }
}

extension CasePath {
  /// The case of the case.
  func appending<Inner>(_ inner: CasePath<Value, Inner>) -> CasePath<Root, Inner> {
    CasePath<Root, Inner>(
      embed: { embed(inner.embed($0)) },
      extract: { extract($0).flatMap { inner.extract($0) } })
  }
}
