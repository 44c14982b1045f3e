@_spi(Host)
extension Store {
  /// Calls `body` whenever actions have been reduced and none is waiting.
  public func onSettledActions(_ body: @escaping () -> Void) { didSettleActions = body }

  /// Sends an action of a child's screen.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - name: the name of the scope of its effects.
  /// - Returns: its effects, and the child; `nil` for a store that is scoped to a child.
  public func send(_ action: Action, in name: some Hashable & Sendable) -> ChildTask? {
    (core as? StoreCore<State, Action>)?.send(action, in: ScopeID(named: name))
  }

  /// Sets the dependencies of reducers and effects.
  public func setDependencies(_ values: DependencyValues) { dependencies = values }

  /// Calls `body` when the effects that the reducer returned for an action have been started: each
  /// has run up to its first suspension.
  ///
  /// It is not called for an action without effects.
  public func onStartedEffects(_ body: @escaping () -> Void) { onPerformed(body) }

  /// Calls `body` with each action that is dropped because the scope of its effect has ended: the
  /// effect was cancelled but continued.
  public func onDroppedActions(_ body: @escaping (Action) -> Void) { onDropped(body) }

  /// Cuts off endless chains of actions.
  ///
  /// - Parameters:
  ///   - limit: the length of the longest chain of actions, each in response to the one before.
  ///   - waiting: the most actions that may wait to be reduced, since a chain may also branch.
  ///   - body: called with the first action that is dropped, after the others are reduced.
  public func cutCascades(
    at limit: Int, waiting: Int, _ body: @escaping (Action) -> Void
  ) {
    limitCascades(to: limit, waiting: waiting, body)
  }

  /// Calls `body` when a scope has 10,000 running effects, and at each doubling of that.
  public func onFloods<Scope: Hashable & Sendable>(
    of type: Scope.Type, _ body: @escaping (_ scope: Scope, _ count: Int) -> Void
  ) {
    onFlood { id, count in
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
    core.runner.didBegin = { began($0.id, $0.scope.outermost(as: type)) }
    core.runner.didEnd = { ended($0.id) }
  }

  /// The effects that are running now, with their scopes of this type; it may outlive the store.
  public func effectRoll<Scope: Hashable & Sendable>(of type: Scope.Type) -> EffectRoll<Scope> {
    EffectRoll(
      runningEffects.compactMap { activity in
        activity.scope.outermost(as: type).map { (activity, $0) }
      })
  }

  /// Tells whether the store's effects are at work.
  public var activityAccount: ActivityAccount? { ActivityAccount(activity) }
}

/// Tells whether a store's effects are at work.
@_spi(Host)
public struct ActivityAccount: Sendable {
  private let monitor: ActivityMonitor

  init(_ monitor: ActivityMonitor) { self.monitor = monitor }

  /// Whether every effect has ended or waits on a clock.
  public var isSettled: Bool { monitor.isSettled }

  /// Whether every effect has ended.
  public var isIdle: Bool { monitor.isIdle }

  /// Returns when every effect has ended or waits on a clock, or when `limit` has passed.
  ///
  /// In a test, the executor of the effects decides that.
  ///
  /// - Returns: whether it has settled.
  nonisolated(nonsending) public func settled(within limit: Duration) async -> Bool {
    if let executor = monitor.executor { return await executor.settle(self, within: limit) }
    let deadline = ContinuousClock.now + limit
    // Repeated, since an effect may have continued meanwhile, such as one whose sleep was
    // cancelled.
    while !monitor.isSettled {
      guard ContinuousClock.now < deadline, !Task.isCancelled else { return false }
      await withTaskGroup { group in
        group.addTask { await monitor.settled() }
        group.addTask { try? await Task.sleep(until: deadline, clock: .continuous) }
        await group.next()
        group.cancelAll()
      }
    }
    return true
  }
}

/// The effects that were running at one moment, and which of them still are.
@_spi(Host)
public struct EffectRoll<Scope: Hashable & Sendable>: Sendable {
  private let entries: [(activity: ActiveEffect, scope: Scope)]

  init(_ entries: [(ActiveEffect, Scope)]) { self.entries = entries }

  /// The scopes of the effects that have not ended and are not just waiting on a clock; each scope
  /// once, in the order in which they began.
  public var atWork: [Scope] {
    var seen: Set<Scope> = []
    return entries.filter { $0.activity.isAtWork && seen.insert($0.scope).inserted }.map(\.scope)
  }
}

/// The effect that is running on the current thread.
@_spi(Host)
@frozen
public enum RunningEffect {
  /// The effect's scope of this type; `nil` if it has none, or no effect is running.
  ///
  /// Takes no lock, and allocates only on the first call.
  public static func scope<Scope: Hashable>(as type: Scope.Type) -> Scope? {
    ActiveEffect.current?.scope.outermost(as: type)
  }
}
