extension Store {
  /// Called when the buffer has run empty, if any action was reduced.
  package var didSettleActions: (() -> Void)? {
    get { core.didSettleActions }
    set { core.didSettleActions = newValue }
  }

  /// The dependencies that reducers and effects see; `nil` for those of the sender's task.
  package var dependencies: DependencyValues? {
    get { core.dependencies }
    set { core.dependencies = newValue }
  }

  /// The account of effects that run.
  package var activity: ActivityMonitor? { core.activity }

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
    case .scoped(let scope): scope.listen { body(SendChain($0, after: nil)) }
    }
  }

  /// The actions whose effects run, where somebody listens to actions; `nil` for effects that no
  /// action started.
  package var runningOrigins: [Action?] {
    guard case .root(let core) = place else { return [] }
    return core.runningOrigins
  }

  /// Calls `body` when an effect of the root store has begun or ended.
  package func onEffects(_ body: @escaping () -> Void) {
    guard case .root(let core) = place else { return }
    core.onEffects(body)
  }

  /// Ends all effects.
  package func cancelEffects() {
    guard case .root(let core) = place else { return }
    core.cancelEffects()
  }
}
