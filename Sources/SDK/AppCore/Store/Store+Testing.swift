/// What a test receives about an action after it has been reduced.
@_spi(Host)
public struct ReducedAction<Action: Sendable> {
  private let link: SendChain<Action>

  init(_ link: SendChain<Action>) { self.link = link }

  /// The action.
  public var action: Action { link.action }

  /// How many effects were nothing but an action, each in response to the one before, up to this
  /// one.
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

  /// The actions whose effects run, while ``onActions(_:)`` is listened to; `nil` for effects that
  /// no action started.
  public var actionsWithEffects: [Action?] { runningOrigins }

  /// Calls `body` when an effect has begun or ended.
  public func onEffectChanges(_ body: @escaping () -> Void) { onEffects(body) }

  /// Lets effects run on `executor` what they do away from the store's actor, from now on.
  public func runEffects(on executor: any TaskExecutor) { activity.executor = executor }

  /// Ends all effects.
  public func endEffects() { cancelEffects() }
}

@_spi(Host)
extension Issue {
  /// Runs `operation` with what is reported in it, and in the tasks it starts, handed to `handler`.
  public static func handling<Result>(
    with handler: @escaping @Sendable (String) -> Void, operation: () throws -> Result
  ) rethrows -> Result {
    try $handler.withValue(handler, operation: operation)
  }
}
