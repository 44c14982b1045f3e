/// Holds a state, runs a reducer on it, and performs the reducer's effects.
///
/// Its life:
/// 1. it is created on an actor, assembles the reducer once, and stays on that actor.
/// 2. a sent action is reduced immediately. Actions that effects or observers send meanwhile are
///    buffered and reduced in order, in a loop: however long the chain, the stack does not grow.
/// 3. a delegate action leaves the store: ``onDelegate(_:)`` receives it, the reducer does not.
/// 4. effects start on the actor and run until they end, are cancelled, or the store is gone.
/// 5. on an actor with a thread of its own, as the main actor has, it ends there, wherever it is
///    released.
///
/// A store that is scoped from another is a view of its root: it holds no state and no buffer, and
/// an action sent to it is sent once to the root.
///
/// A store is not `Sendable`, so code in another isolation domain can't send to it. Its ``sender``
/// can be passed there.
public final class Store<State, Action: Sendable> {
  /// Set until the deinitializer, which nobody outlives who could use the store.
  @exclusivity(unchecked) private(set) var node: (any StoreNode<State, Action>)!

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - initialState: the initial state.
  ///   - reducer: handles the actions. It uses the dependencies that are current at this call.
  ///   - isolation: the actor on which the store is created and used.
  @inlinable
  public convenience init(
    initialState: State, reducer: some Reducer<State, Action>, isolation: any Actor
  ) {
    self.init(
      initialState: initialState, reducing: reducer.assemble().whole, isolation: isolation)
  }

  /// Creates a store with dependencies of its own.
  ///
  /// ```swift
  /// struct Counter: Reducer {
  ///   enum Action: ComponentAction { case tapped }
  ///   func reduce(into count: inout Int, action: Action) -> Effect<Action> { .none }
  /// }
  ///
  /// @MainActor func makeStore() -> StoreOf<Counter> {
  ///   Store(initialState: 0, isolation: MainActor.shared) {
  ///     Counter()
  ///   } withDependencies: {
  ///     $0.date.now = Instant(secondsSinceEpoch: 0)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - initialState: the initial state.
  ///   - isolation: the actor on which the store is created and used.
  ///   - reducer: creates the reducer.
  ///   - prepare: overrides dependencies.
  public convenience init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> State, isolation: any Actor, reducer: () -> R,
    withDependencies prepare: (inout DependencyValues) -> Void = { _ in }
  ) {
    let (state, reducing, dependencies) = AppCore.withDependencies(prepare) {
      (initialState(), reducer().assemble().whole, DependencyValues.current)
    }
    self.init(initialState: state, reducing: reducing, isolation: isolation)
    node.root.dependencies = dependencies
  }

  @usableFromInline
  init(
    initialState: State, reducing: @escaping (inout State, Action) -> Effect<Action>,
    isolation: any Actor
  ) {
    node = StoreCore(initialState: initialState, reducer: reducing, isolation: isolation)
  }

  init(_ node: some StoreNode<State, Action>) { self.node = node }

  deinit {
    guard let actor = node.root.actorElsewhere else { return }
    let last = LastReference(node.take())
    Task { await last.release(on: actor) }
  }

  /// The current state; a reducer must use its parameter instead.
  ///
  /// For a scoped store whose child is gone, it is the child's last state if the child was
  /// presented, otherwise the last state that was read.
  public var state: State { node.state }
}

extension Store where Action: FeatureAction {
  /// Sends a view action, as the feature's screen would.
  ///
  /// It is reduced, with all actions that it causes synchronously; it waits if another action is being
  /// reduced.
  ///
  /// - Returns: the effects that are still under way.
  /// - Complexity: that of the reducer; the store adds a constant.
  @discardableResult
  public func send(_ action: Action.View) -> StoreTask { node.send(.view(action)) }
}

extension Store where Action: ComponentAction {
  /// Sends an action, as a feature's store is sent a view action.
  @discardableResult
  public func send(_ action: Action) -> StoreTask { node.send(action) }
}

/// A store with the state and action of `R`, as in `let store: StoreOf<Counter>`.
public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>
