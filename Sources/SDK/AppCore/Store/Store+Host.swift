@_spi(Host)
extension Store {
  /// The root of a store that is not scoped; what only a root has is ignored for scoped ones.
  private var core: StoreCore<State, Action>? { node as? StoreCore<State, Action> }

  /// Calls `body` whenever actions have been reduced and none is waiting.
  public func onSettledActions(_ body: @escaping () -> Void) { node.root.didSettleActions = body }

  /// Sends an action of any kind, as the graph or a parent would.
  @discardableResult
  public func sendAny(_ action: Action) -> StoreTask { node.send(action) }

  /// Sends an action of a child's screen.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - name: the name of the scope of its effects.
  /// - Returns: its effects, and the child; `nil` for a store that is scoped to a child.
  public func send(_ action: Action, in name: some Hashable & Sendable) -> ChildTask? {
    core?.send(action, in: ScopeID(named: name))
  }

  /// Changes the state without an action, and starts the effects that are returned.
  @discardableResult
  public func begin(_ start: (inout State) -> Effect<Action>) -> StoreTask {
    core?.perform(start) ?? StoreTask(group: nil)
  }

  /// Sets the dependencies of reducers and effects.
  public func setDependencies(_ values: DependencyValues) { node.root.dependencies = values }

  /// Calls `body` with each action once it is reduced, delegate actions included.
  ///
  /// - Returns: the observation, which ends when it is released.
  public func onActions(_ body: @escaping (ReducedAction<Action>) -> Void) -> StoreObservation {
    core?.onActions(body) ?? node.listen { body(ReducedAction($0, after: nil)) }
  }

  /// Calls `body` when the effects that the reducer returned for an action have been started: each
  /// has run up to its first suspension.
  ///
  /// It is not called for an action without effects.
  public func onStartedEffects(_ body: @escaping () -> Void) { core?.didPerform = body }

  /// Calls `body` with each action that is dropped because the scope of its effect has ended: the
  /// effect was cancelled but continued.
  public func onDroppedActions(_ body: @escaping (Action) -> Void) { core?.didDrop = body }

  /// Cuts off endless chains of actions, whether effects or observers send them.
  ///
  /// - Parameters:
  ///   - limit: the length of the longest chain of actions, each in response to the one before.
  ///   - waiting: the most actions that may wait to be reduced, since a chain may also branch.
  ///   - body: called with the first action that is dropped, after the others are reduced; once
  ///     until no action is waiting any more.
  public func cutCascades(
    at limit: Int, waiting: Int, _ body: @escaping (Action) -> Void
  ) {
    core?.cascadeLimit = limit
    core?.waitingLimit = waiting
    core?.didCut = body
  }

  // MARK: Effects

  /// Calls `body` when a scope has 10,000 running effects, and at each doubling of that.
  public func onFloods<Scope: Hashable & Sendable>(
    of type: Scope.Type, _ body: @escaping (_ scope: Scope, _ count: Int) -> Void
  ) {
    node.root.runner.didFlood = { id, count in
      if let scope = id.outermost(as: type) { body(scope, count) }
    }
  }

  /// Calls `began` when an effect has begun, and `ended` when it has done its work.
  ///
  /// An effect that runs others is reported once; those that it waits for are not reported.
  ///
  /// - Parameters:
  ///   - type: the type of the scopes.
  ///   - began: receives the effect's number and its scope; `nil` if it has none of this type.
  ///   - ended: receives the effect's number.
  public func onEffects<Scope: Hashable & Sendable>(
    of type: Scope.Type, began: @escaping (_ id: Int, _ scope: Scope?) -> Void,
    ended: @escaping (_ id: Int) -> Void
  ) {
    node.root.runner.didBegin = { began($0.id, $0.scope.outermost(as: type)) }
    node.root.runner.didEnd = { ended($0.id) }
  }

  /// Calls `body` when an effect has begun or ended.
  public func onEffectChanges(_ body: @escaping () -> Void) { node.root.runner.didChange = body }

  /// The actions whose effects are running, known only while an observation of ``onActions(_:)``
  /// exists; `nil` for effects that no action started.
  public var actionsWithEffects: [Action?] {
    var seen: Set<ObjectIdentifier?> = []
    return node.root.runner.scope.allEffects.compactMap { effect in
      let origin = effect.context.origin
      return seen.insert(origin.map(ObjectIdentifier.init)).inserted
        ? .some((origin as? ReducedAction<Action>)?.action) : nil
    }
  }

  /// The effects that are running now, with their scopes of this type; it may outlive the store.
  public func runningEffects<Scope: Hashable & Sendable>(
    of type: Scope.Type
  ) -> RunningEffects<Scope> {
    RunningEffects(
      effects: node.root.runner.scope.allEffects.compactMap { effect in
        effect.scope.outermost(as: type).map { (effect, $0) }
      })
  }

  /// Tells whether the store's effects are at work.
  public var activityAccount: ActivityAccount { node.root.runner.account }

  /// From now on, effects run on `executor`.
  public func runEffects(on executor: any EffectExecuting) {
    node.root.runner.account.executor = executor
  }

  /// Ends all effects.
  public func endEffects() { node.root.runner.cancelAll() }
}

/// The effects that were running at one moment, and which of them still are.
@_spi(Host)
public struct RunningEffects<Scope: Hashable & Sendable>: Sendable {
  let effects: [(effect: ActiveEffect, scope: Scope)]

  /// The scopes of the effects that have not ended and are not just waiting on a clock; each scope
  /// once, in the order in which they began.
  public var atWork: [Scope] {
    var seen: Set<Scope> = []
    return effects.filter { $0.effect.isAtWork && seen.insert($0.scope).inserted }.map(\.scope)
  }
}

/// Runs all work of a store's effects in a test, and detects when none of it is left.
///
/// As the executor of tasks it runs what effects do off the store's actor.
@_spi(Host)
public protocol EffectExecuting: TaskExecutor {
  /// Runs what effects do on the store's actor; it uses the actor's own thread.
  var onStore: UnownedSerialExecutor { get }

  /// Called on the store's actor before an effect's task is created: until ``didStart()``, jobs that
  /// are enqueued there run immediately, so that the effect starts as it does without a test.
  func willStart()
  /// Called on the store's actor when the effect's work begins, and when its task has been created.
  func didStart()

  /// Returns when no work of the store's effects is left that is not waiting for something else.
  ///
  /// - Returns: `false` if there was work after `limit`, in real time.
  nonisolated(nonsending) func settle(
    _ account: ActivityAccount, within limit: Duration
  ) async -> Bool
}
