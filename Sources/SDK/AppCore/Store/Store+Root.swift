extension Store {
  /// Called when the buffer has run empty, if any action was reduced.
  package var didSettleActions: (() -> Void)? {
    get { core.didSettleActions }
    set { core.didSettleActions = newValue }
  }

  /// The dependencies that reducers see; by default those current when the store was created.
  package var dependencies: DependencyValues {
    get { core.dependencies }
    set { core.dependencies = newValue }
  }

  /// Tracks the running effects.
  package var activity: ActivityMonitor { core.runner.monitor }

  /// Changes the state without an action, and starts the effects that are returned.
  ///
  /// - Returns: the effects; a scoped store does nothing.
  @discardableResult
  package func perform(_ make: (inout State) -> Effect<Action>) -> StoreTask {
    guard case .root(let core) = place else { return StoreTask(group: nil) }
    return core.perform(make)
  }

  /// Calls `body` with each action of the root store once it is reduced, delegate actions included.
  package func listen(
    _ body: @escaping (borrowing SendChain<Action>) -> Void
  ) -> StoreObservation {
    switch place {
    case .root(let core): core.listen(body)
    case .child(let node): node.listen { body(SendChain($0, after: nil)) }
    }
  }

  /// The actions whose effects are running, known only while there are listeners; `nil` for effects
  /// that no action started.
  package var runningOrigins: [Action?] {
    var seen: Set<ObjectIdentifier?> = []
    return core.runner.scope.allEffects.compactMap { effect in
      seen.insert(effect.origin.map(ObjectIdentifier.init)).inserted
        ? .some((effect.origin as? EffectOrigin<Action>)?.action) : nil
    }
  }

  /// Calls `body` when an effect of the root store has begun or ended.
  package func onEffects(_ body: @escaping () -> Void) {
    core.runner.didChange = body
  }

  /// Calls `body` with each action that is dropped because the scope of its effect has ended.
  package func onDropped(_ body: @escaping (Action) -> Void) {
    guard case .root(let core) = place else { return }
    core.didDrop = body
  }

  /// Calls `body` when the effects of an action have been started.
  package func onPerformed(_ body: @escaping () -> Void) {
    guard case .root(let core) = place else { return }
    core.didPerform = body
  }

  /// The running effects of the whole store, in the order in which they began.
  package var runningEffects: [ActiveEffect] { core.runner.scope.allEffects }

  /// Calls `body` when a scope has very many effects.
  package func onFlood(_ body: @escaping (_ scope: EffectScope, _ count: Int) -> Void) {
    core.runner.didFlood = body
  }

  /// Cuts off endless chains of actions.
  ///
  /// - Parameters:
  ///   - limit: the length of the longest chain of actions, each in response to the one before.
  ///   - waiting: the most actions that may wait to be reduced.
  ///   - body: called with the first action that is dropped, after the others are reduced.
  package func limitCascades(
    to limit: Int, waiting: Int, _ body: @escaping (Action) -> Void
  ) {
    guard case .root(let core) = place else { return }
    core.cascadeLimit = limit
    core.waitingLimit = waiting
    core.didCut = body
  }

  /// Ends all effects.
  package func cancelEffects() { core.runner.cancelAll() }
}
