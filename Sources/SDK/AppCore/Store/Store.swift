/// Holds a state, runs a reducer on it, and performs the reducer's effects.
///
/// Its life:
/// 1. it is created on an actor, assembles the reducer once, and stays on that actor.
/// 2. an action that is sent is reduced at once. Actions sent meanwhile, by effects or observers,
///    are buffered and reduced in order, iteratively: however long the chain, the stack does not
///    grow.
/// 3. effects start on the actor and run until they end, are cancelled, or the store is gone.
///
/// A store is not `Sendable`: from other isolation it can't be reached, and so not be sent to.
public final class Store<State, Action: Sendable> {
  /// The state now.
  public private(set) var state: State
  /// The actor that the store lives on.
  let isolation: any Actor
  /// Called when the buffer has run empty, if any action was reduced.
  package var didSettleActions: (() -> Void)?
  /// The dependencies that reducers and effects see; `nil` for those of the sender's task.
  package var dependencies: DependencyValues?

  private let step: Assembly<State, Action>.Step
  private var buffer: [Action] = []
  private var isReducing = false
  private var tasks: [Task<Void, Never>] = []
  private var effects: EffectRunner<Action>?

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - initialState: the state to begin with.
  ///   - reducer: what answers to actions.
  ///   - isolation: the actor on which the store is created and used.
  public init(
    initialState: State, reducer: some Reducer<State, Action>, isolation: any Actor
  ) {
    state = initialState
    step = reducer.assemble().run
    self.isolation = isolation
    effects = EffectRunner(isolation: isolation) { [weak self] action in
      _ = self?.enqueue(action)
    }
  }

  /// The account of effects that run.
  package var activity: ActivityMonitor? { effects?.monitor }

  /// Reduces `action`, and all that it brings about at once.
  ///
  /// - Returns: the effects that are still under way.
  /// - Complexity: that of the reducer; the store adds a constant.
  @discardableResult
  package func enqueue(_ action: Action) -> StoreTask {
    guard !isReducing else {
      buffer.append(action)
      return StoreTask(tasks: [])
    }
    if let dependencies {
      return DependencyValues.$current.withValue(dependencies) { drain(action) }
    }
    return drain(action)
  }

  /// Starts an effect that no action asked for.
  package func perform(_ effect: Effect<Action>) {
    guard let operation = effect.operation else { return }
    if let dependencies {
      DependencyValues.$current.withValue(dependencies) { _ = effects?.perform(operation) }
    } else {
      effects?.perform(operation)
    }
  }

  private func drain(_ first: Action) -> StoreTask {
    isReducing = true
    // The first action needs no place in the buffer, and most bring no others about.
    reduce(first)
    if !buffer.isEmpty { reduceBuffer() }
    // Still within the loop: what an observer sends is buffered as well.
    didSettleActions?()
    while !buffer.isEmpty {
      reduceBuffer()
      didSettleActions?()
    }
    isReducing = false
    guard !tasks.isEmpty else { return StoreTask(tasks: []) }
    let started = tasks
    tasks.removeAll()
    return StoreTask(tasks: started)
  }

  private func reduce(_ action: Action) {
    guard let operation = step(&state, action).operation else { return }
    tasks.append(contentsOf: effects?.perform(operation) ?? [])
  }

  private func reduceBuffer() {
    var index = 0
    while index < buffer.count {
      let action = buffer[index]
      index += 1
      // What was reduced is let go from time to time, so that an endless chain holds no memory; not
      // before it is half of the buffer, so that each action is moved a constant number of times.
      if index >= 1024, index >= buffer.count / 2 {
        buffer.removeFirst(index)
        index = 0
      }
      reduce(action)
    }
    buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
  }
}

extension Store where Action: FeatureAction {
  /// Sends a view action, as the feature's screen would.
  @discardableResult
  public func send(_ action: Action.View) -> StoreTask { enqueue(.view(action)) }
}

extension Store where Action: ComponentAction {
  /// Sends an action.
  @discardableResult
  public func send(_ action: Action) -> StoreTask { enqueue(action) }
}

/// The effects that an action started.
public struct StoreTask: Sendable {
  let tasks: [Task<Void, Never>]

  /// Ends the effects.
  public func cancel() {
    for task in tasks { task.cancel() }
  }

  /// Returns when the effects have ended.
  public func finish() async {
    for task in tasks { await task.value }
  }
}
