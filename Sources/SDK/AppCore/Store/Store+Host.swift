@_spi(Host)
extension Store {
  /// Calls `body` whenever actions have been reduced and none waits.
  public func onSettledActions(_ body: @escaping () -> Void) { didSettleActions = body }

  /// What reducers and effects find as their dependencies.
  public func setDependencies(_ values: DependencyValues) { dependencies = values }

  /// Calls `body` when the effects that the reducer returned for an action have been started: each
  /// has run up to where it first waits.
  ///
  /// It is not called for an action without effects.
  public func onStartedEffects(_ body: @escaping () -> Void) { onPerformed(body) }

  /// Calls `body` with each action that an effect sends after its scope has ended: it was cancelled
  /// and continued all the same.
  public func onDroppedActions(_ body: @escaping (Action) -> Void) { onDropped(body) }

  /// Cuts off endless chains of actions.
  ///
  /// - Parameters:
  ///   - limit: how many are reduced, each in response to the one before.
  ///   - waiting: how many may wait to be reduced; actions may multiply, too.
  ///   - body: is called with the first action that is dropped, when the others are reduced.
  public func cutCascades(
    at limit: Int, waiting: Int, _ body: @escaping (Action) -> Void
  ) {
    limitCascades(to: limit, waiting: waiting, body)
  }

  /// Calls `body` when a scope has 10,000 effects that run, and at each doubling of that.
  public func onFloods<Scope: Hashable & Sendable>(
    of type: Scope.Type, _ body: @escaping (_ scope: Scope, _ count: Int) -> Void
  ) {
    onFlood { id, count in
      if let scope = id.outermost(as: type) { body(scope, count) }
    }
  }

  /// Calls `began` when an effect has begun, and `ended` when it has done its work.
  ///
  /// One that runs others, in turn or later, is reported without them.
  ///
  /// - Parameters:
  ///   - type: what effects belong to.
  ///   - began: takes the effect's number, and what it belongs to, if anything of this type.
  ///   - ended: takes the effect's number.
  public func onEffects<Scope: Hashable & Sendable>(
    of type: Scope.Type, began: @escaping (_ id: Int, _ scope: Scope?) -> Void,
    ended: @escaping (_ id: Int) -> Void
  ) {
    core.runner.didBegin = { began($0.id, $0.scope.outermost(as: type)) }
    core.runner.didEnd = { ended($0.id) }
  }

  /// The effects that run now, by what they belong to; it outlives the store.
  public func effectRoll<Scope: Hashable & Sendable>(of type: Scope.Type) -> EffectRoll<Scope> {
    EffectRoll(
      runningEffects.compactMap { activity in
        activity.scope.outermost(as: type).map { (activity, $0) }
      })
  }

  /// The store's effects that are at work.
  public var activityAccount: ActivityAccount? { ActivityAccount(activity) }
}

/// Tells whether a store's effects are at work.
@_spi(Host)
public struct ActivityAccount: Sendable {
  private let monitor: ActivityMonitor

  init(_ monitor: ActivityMonitor) { self.monitor = monitor }

  /// Whether every effect has ended or waits on a clock.
  public var isSettled: Bool { monitor.isSettled }

  /// Where effects run what they do away from their store's actor; `nil` for Swift's pool.
  public var executor: (any TaskExecutor)? { monitor.executor }

  /// Returns when every effect has ended or waits on a clock, or when `limit` has passed.
  ///
  /// - Returns: whether it has settled.
  public func settled(within limit: Duration) async -> Bool {
    let deadline = ContinuousClock.now + limit
    // Again where an effect has gone on meanwhile, such as one whose sleep was cancelled.
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

/// Effects that ran at one moment, and which of them still do.
@_spi(Host)
public struct EffectRoll<Scope: Hashable & Sendable>: Sendable {
  private let entries: [(activity: ActiveEffect, scope: Scope)]

  init(_ entries: [(ActiveEffect, Scope)]) { self.entries = entries }

  /// What the effects belong to that have not ended and do not only wait on a clock, each once, the
  /// one that began first before the others.
  public var atWork: [Scope] {
    var seen: Set<Scope> = []
    return entries.filter { $0.activity.isAtWork && seen.insert($0.scope).inserted }.map(\.scope)
  }
}

/// The effect that the current thread is at work on.
@_spi(Host)
@frozen
public enum RunningEffect {
  /// What it belongs to in its store; `nil` if nothing of this type, or no effect runs.
  ///
  /// Takes no lock, and allocates nothing after the first time.
  public static func scope<Scope: Hashable>(as type: Scope.Type) -> Scope? {
    ActiveEffect.current?.scope.outermost(as: type)
  }
}
