/// Holds a state, runs a reducer on it, and performs the reducer's effects.
///
/// Its life:
/// 1. it is created on an actor, assembles the reducer once, and stays on that actor.
/// 2. an action that is sent is reduced at once. Actions sent meanwhile, by effects or observers,
///    are buffered and reduced in order, iteratively: however long the chain, the stack does not
///    grow.
/// 3. a delegate action leaves the store: ``onDelegate(_:)`` hears it, the reducer does not.
/// 4. effects start on the actor and run until they end, are cancelled, or the store is gone.
///
/// A store that is scoped from another is a view of its root: it holds no state and no buffer of
/// its own, and what it is sent, the root is sent once.
///
/// A store is not `Sendable`: from other isolation it can't be reached, and so not be sent to.
/// ``sender`` can be.
public final class Store<State, Action: Sendable> {
  enum Place {
    case root(StoreCore<State, Action>)
    case scoped(StoreScope<State, Action>)
  }
  let place: Place
  /// The root, if it is this store's own, which ``place`` holds.
  ///
  /// To retain it for an action would take a third as long as all else: effects refer to it weakly,
  /// and what is referred to weakly is retained the long way.
  private let root: Unmanaged<StoreCore<State, Action>>?

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - initialState: the state to begin with.
  ///   - reducer: what answers to actions.
  ///   - isolation: the actor on which the store is created and used.
  @inlinable
  public convenience init(
    initialState: State, reducer: some Reducer<State, Action>, isolation: any Actor
  ) {
    self.init(initialState: initialState, step: reducer.assemble().run, isolation: isolation)
  }

  // The steps compile into the caller, where their types are known.
  @usableFromInline
  init(
    initialState: State, step: Assembly<State, Action>.Step, isolation: any Actor
  ) {
    let core = StoreCore(initialState: initialState, step: step, isolation: isolation)
    place = .root(core)
    root = .passUnretained(core)
  }

  init(_ scope: StoreScope<State, Action>) {
    place = .scoped(scope)
    root = nil
  }

  /// The state now; a reducer, which changes it, has its own and must not ask for this one.
  ///
  /// Of a scoped store whose child is gone, it is the last one that was read.
  public var state: State {
    _read {
      switch place {
      case .root(let core): yield core.state
      case .scoped(let scope): yield scope.state
      }
    }
  }

  /// The most actions that effects were nothing but, each sent in answer to the one before.
  ///
  /// Shared logic belongs into a method that returns an effect, or that takes a ``Send``: an action
  /// sent to oneself costs a turn of the store, and anybody else's action may come between.
  @_spi(Host) public var longestSendChain: Int { core.longestSendChain }

  /// The root, whatever its types are.
  package var core: AnyStoreCore {
    switch place {
    case .root(let core): core
    case .scoped(let scope): scope.root
    }
  }

  /// Reduces `action`, and all that it brings about at once.
  ///
  /// - Returns: the effects that are still under way.
  /// - Complexity: that of the reducer; the store adds a constant.
  @discardableResult
  package func enqueue(_ action: Action) -> StoreTask {
    if let root { return root._withUnsafeGuaranteedRef { $0.send(action) } }
    return switch place {
    case .root(let core): core.send(action)
    case .scoped(let scope): scope.send(action)
    }
  }
}

extension Store where Action: FeatureAction {
  /// Sends a view action, as the feature's screen would.
  ///
  /// - Returns: the effects that are still under way.
  @discardableResult
  public func send(_ action: Action.View) -> StoreTask { enqueue(.view(action)) }
}

extension Store where Action: ComponentAction {
  /// Sends an action.
  ///
  /// - Returns: the effects that are still under way.
  @discardableResult
  public func send(_ action: Action) -> StoreTask { enqueue(action) }
}

/// A store with the state and action of `R`, as in `let store: StoreOf<Counter>`.
public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>
