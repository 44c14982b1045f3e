/// What a test receives about an action after it has been reduced.
@_spi(Host)
public struct ReducedAction<Action: Sendable> {
  private let link: SendChain<Action>

  init(_ link: SendChain<Action>) { self.link = link }

  /// The action.
  public var action: Action { link.action }

  /// The length of the chain of `.send` effects that led to this action.
  public var chainLength: Int { link.length }

  /// The actions of that chain, this one last.
  public var chain: [Action] {
    var actions = [link.action]
    var previous = link.previous
    while let link = previous {
      actions.append(link.action)
      previous = link.previous
    }
    return actions.reversed()
  }
}

@_spi(Host)
extension Store {
  /// Calls `body` with each action once it is reduced, delegate actions included.
  ///
  /// - Returns: the observation, which ends when it is released.
  public func onActions(_ body: @escaping (ReducedAction<Action>) -> Void) -> StoreObservation {
    listen { body(ReducedAction(copy $0)) }
  }

  /// Sends an action of any kind, as the graph or a parent would.
  @discardableResult
  public func sendAny(_ action: Action) -> StoreTask { enqueue(action) }

  /// Changes the state without an action, and starts the effects that are returned.
  @discardableResult
  public func begin(_ start: (inout State) -> Effect<Action>) -> StoreTask { perform(start) }

  /// The actions whose effects are running, known only while an observation of ``onActions(_:)``
  /// exists; `nil` for effects that no action started.
  public var actionsWithEffects: [Action?] { runningOrigins }

  /// Calls `body` when an effect has begun or ended.
  public func onEffectChanges(_ body: @escaping () -> Void) { onEffects(body) }

  /// From now on, effects run on `executor`.
  public func runEffects(on executor: any EffectExecuting) { activity.executor = executor }

  /// Ends all effects.
  public func endEffects() { cancelEffects() }
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

@_spi(Host)
extension RuntimeIssue {
  /// Runs `operation`; issues reported in it and in the tasks it starts go to `handler`.
  public static func handling<Result>(
    with handler: @escaping @Sendable (String) -> Void, operation: () throws -> Result
  ) rethrows -> Result {
    try $handler.withValue(handler, operation: operation)
  }
}
