/// A type-erased ``StoreCore``, for the host and tests.
package protocol AnyStoreCore: AnyObject {
  /// The actor that the store lives on.
  var isolation: any Actor { get }
  /// Called when the buffer has run empty, if any action was reduced.
  var didSettleActions: (() -> Void)? { get set }
  /// The dependencies that reducers see.
  var dependencies: DependencyValues { get set }
  var runner: EffectRunner { get }
  /// Increases whenever the state may have changed.
  var version: Int { get }
  /// Retains a sequence's feed until the sequence has no consumer, or the store is released.
  func keep(_ feed: any StoreFeeding)
}

/// The root of a store: the state, the reducer and the effects, which all stores scoped from it
/// share.
///
/// The path of an action:
/// 1. ``send(_:)`` reduces it, or appends it to ``waiting`` if another one is being reduced.
/// 2. ``reduce(_:)`` runs the reducer on ``current`` and performs the effect. A `.send` effect
///    appends its action.
/// 3. when no action is waiting, observers are called; the actions that they send are reduced next.
final class StoreCore<State, Action: Sendable>: AnyStoreCore {
  let isolation: any Actor
  let runner: EffectRunner
  var didSettleActions: (() -> Void)?
  var dependencies = DependencyValues.current {
    didSet { followSharedValues() }
  }
  @exclusivity(unchecked) private(set) var version = 0
  /// The length of the longest cascade of actions that cause each other.
  var cascadeLimit = Int.max
  /// The most actions that may wait.
  var waitingLimit = Int.max
  /// Called with the first action that was dropped from a cascade that reached a limit.
  var didCut: ((Action) -> Void)?
  /// Called with an action that is dropped because the scope of its effect has ended.
  var didDrop: ((Action) -> Void)?
  /// Called when the effects of an action have been started.
  var didPerform: (() -> Void)?

  // Exclusivity is not checked for what changes with every action: a reducer has the state as an
  // `inout` argument, and ``isReducing`` guards everything else.
  @exclusivity(unchecked) private var current: State
  private let waiting = ActionQueue<PendingAction>()
  @exclusivity(unchecked) private var isReducing = false
  @exclusivity(unchecked) private var isChangingState = false
  /// The cause of the action that is being reduced.
  @exclusivity(unchecked) private var cause = Cause()
  private let reducer: (inout State, Action) -> Effect<Action>
  private let boundary = ActionBoundary<Action>()
  private let sink = RootSink<State, Action>()
  /// Called when no action is waiting any more.
  private var observers: Listeners<State>?
  /// Called with each action once it is reduced, or has left the store as a delegate action.
  private var listeners: Listeners<SendChain<Action>>?
  private var feeds: [any StoreFeeding] = []
  private let sharedValues = SharedValueListener()
  /// The cursor of the next action, if it records the children that it reaches.
  private var trailCursor: EffectCursor?
  /// The first dropped action of a cascade that is being cut; further ones are dropped as well.
  private var cutAction: Action?

  /// The cause of an action.
  private struct Cause {
    /// The number of actions in the cascade before it, whether effects or observers sent them.
    var cascade = 0
    /// The chain of `.send` effects up to the action; known only while there are listeners.
    var link: SendChain<Action>?
  }

  /// An action that waits, because another one is being reduced.
  private struct PendingAction {
    let action: Action
    /// The group of its effects; `nil` for that of the action that was sent from outside.
    let group: EffectGroup?
    let cause: Cause
    let delivery: EffectDelivery?
  }

  init(
    initialState: State, reducer: @escaping (inout State, Action) -> Effect<Action>,
    isolation: any Actor
  ) {
    current = initialState
    self.reducer = reducer
    self.isolation = isolation
    runner = EffectRunner(isolation: isolation)
    sink.core = self
    followSharedValues()
  }

  deinit {
    sink.core = nil
    sharedValues.end()
    runner.cancelAll()
  }

  var state: State {
    _read {
      guard !isChangingState else { fatalError(Self.readByReducer) }
      yield current
    }
  }

  func read<Value>(_ property: KeyPath<State, Value>) -> Value {
    guard !isChangingState else { fatalError(Self.readByReducer) }
    // Not the constant form, which may copy the state to the stack.
    return withUnsafeMutablePointer(to: &current) { UnsafePointer($0).read(property) }
  }

  private static var readByReducer: String {
    """
    the state of a Store<\(State.self), \(Action.self)> was read by its own reducer, which has it as \
    its first argument: use that one
    """
  }

  // MARK: Sending

  /// Reduces an action from outside, and all actions that it causes synchronously.
  func send(_ action: Action) -> StoreTask {
    guard !isReducing else {
      let group = EffectGroup()
      append(action, group, isDirect: false, nil)
      return StoreTask(group: group)
    }
    return StoreTask(group: withOwnDependencies { drain(action, nil, nil) })
  }

  /// Reduces an action from outside, and keeps the scope of the child that it reaches.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - outermost: the scope that its effects are in.
  /// - Returns: its effects, and the child.
  func send(_ action: Action, in outermost: ScopeID) -> ChildTask {
    let cursor = EffectCursor(runner.scope, origin: nil, recordsTrail: true) { [runner] in
      runner.end($0)
    }
    trailCursor = cursor
    let task = send(action)
    trailCursor = nil
    let scope = (cursor.trail ?? []).reduce(runner.scope.addingChild(outermost)) {
      $0.addingChild($1)
    }
    return ChildTask(task: task, scope: scope)
  }

  /// Reduces an action that an effect sends.
  fileprivate func take(_ action: Action, _ delivery: EffectDelivery) {
    guard !delivery.isLate else {
      didDrop?(action)
      return delivery.finish()
    }
    guard !isReducing else {
      return append(action, delivery.group, isDirect: delivery.effect == nil, delivery)
    }
    _ = withOwnDependencies { drain(action, delivery.group, delivery) }
  }

  /// Changes the state without an action, and starts the effects that are returned.
  func perform(_ make: (inout State) -> Effect<Action>) -> StoreTask {
    version += 1
    return StoreTask(
      group: withOwnDependencies {
        var group: EffectGroup?
        if let operation = make(&current).operation {
          runner.perform(operation, for: sink, from: nil, in: &group)
        }
        return group
      })
  }

  private func append(
    _ action: Action, _ group: EffectGroup?, isDirect: Bool, _ delivery: EffectDelivery?
  ) {
    var next = Cause(cascade: cause.cascade + 1)
    if listeners != nil {
      // A delegate action leaves the store, so it does not continue a chain.
      let isLink = isDirect && !boundary.isDelegate(action)
      next.link = SendChain(action, after: isLink ? cause.link : nil)
    }
    // A cascade that branches fills the buffer long before any of its chains is long.
    guard next.cascade <= cascadeLimit, waiting.count < waitingLimit, cutAction == nil else {
      if cutAction == nil { cutAction = action }
      delivery?.finish()
      return
    }
    group?.enter()
    delivery?.beginWaiting()
    waiting.append(
      PendingAction(action: action, group: group, cause: next, delivery: delivery))
  }

  /// Binds the store's dependencies, unless both they and the current ones are unchanged.
  private func withOwnDependencies(_ body: () -> EffectGroup?) -> EffectGroup? {
    guard !dependencies.isUnchanged || !DependencyValues.current.isUnchanged else { return body() }
    return DependencyValues.withCurrent(dependencies, operation: body)
  }

  // MARK: Reducing

  /// Reduces an action, and those that it causes.
  private func drain(
    _ action: Action, _ owner: EffectGroup?, _ delivery: EffectDelivery?
  ) -> EffectGroup? {
    var group = owner
    isReducing = true
    runner.isReducing = true
    if listeners != nil { cause.link = SendChain(action, after: nil) }
    // The first action bypasses the buffer; most actions cause no others.
    reduce(action, delivery, &group)
    if waiting.count > 0 { drainWaiting(&group) }
    // `isReducing` is still set, so that actions from observers are buffered as well.
    settle()
    while waiting.count > 0 {
      drainWaiting(&group)
      settle()
    }
    isReducing = false
    runner.isReducing = false
    if cause.link != nil { cause = Cause() }
    delivery?.finish()
    return group
  }

  private func drainWaiting(_ group: inout EffectGroup?) {
    while let pending = waiting.popFirst() {
      cause = pending.cause
      defer {
        pending.group?.leave()
        pending.delivery?.endWaiting()
      }
      // An earlier action has cancelled the effect that sent it.
      if pending.delivery?.isCancelled == true { continue }
      if pending.group == nil {
        reduce(pending.action, pending.delivery, &group)
      } else {
        var own = pending.group
        reduce(pending.action, pending.delivery, &own)
      }
    }
    cause = Cause()
    guard let cutAction else { return }
    self.cutAction = nil
    didCut?(cutAction)
  }

  private func reduce(
    _ action: Action, _ delivery: EffectDelivery?, _ group: inout EffectGroup?
  ) {
    // A delegate action never comes back to the reducer that emitted it.
    guard !boundary.isDelegate(action) else { return notifyListeners() }
    isChangingState = true
    version += 1
    let effect = reduce(action, at: cursor(delivery))
    isChangingState = false
    notifyListeners()
    guard let operation = effect.operation else { return }
    runner.perform(
      operation, for: sink, from: cause.link.map { EffectOrigin($0.action) }, in: &group)
    didPerform?()
  }

  /// A cursor with which operators end the effects of children that are gone; `nil` if none can be.
  private func cursor(_ delivery: EffectDelivery?) -> EffectCursor? {
    if let trailCursor {
      self.trailCursor = nil
      return trailCursor
    }
    guard !runner.scope.hasNoChildren || delivery?.scope.isEnded == true else { return nil }
    return EffectCursor(runner.scope, origin: delivery?.scope) { [runner] in runner.end($0) }
  }

  private func reduce(_ action: Action, at cursor: EffectCursor?) -> Effect<Action> {
    // A current cursor belongs to another store, whose reducer or effect uses this one.
    guard cursor != nil || EffectCursor.current != nil else { return reducer(&current, action) }
    return EffectCursor.withCurrent(cursor) { reducer(&current, action) }
  }

  // MARK: Telling

  /// Calls `body` when the buffer has run empty.
  func observe(_ body: @escaping (borrowing State) -> Void) -> StoreObservation {
    let observers = observers ?? Listeners()
    self.observers = observers
    return observers.add(body)
  }

  /// Calls `body` with each action.
  func listen(_ body: @escaping (borrowing SendChain<Action>) -> Void) -> StoreObservation {
    let listeners = listeners ?? Listeners()
    self.listeners = listeners
    return listeners.add(body)
  }

  func keep(_ feed: any StoreFeeding) {
    dropEndedFeeds()
    feeds.append(feed)
  }

  private func settle() {
    sharedValues.areSeen()
    didSettleActions?()
    guard let observers else { return }
    dropEndedFeeds()
    observers.notify(current)
  }

  /// Calls observers when shared values change while nothing is reduced here.
  private func followSharedValues() {
    sharedValues.follow(dependencies.sharedValues, on: isolation) { [weak self] in
      self?.sharedValuesDidChange()
    }
  }

  private func sharedValuesDidChange() {
    guard !isReducing else { return }
    _ = withOwnDependencies {
      version += 1
      isReducing = true
      runner.isReducing = true
      settle()
      var group: EffectGroup?
      while waiting.count > 0 {
        drainWaiting(&group)
        settle()
      }
      isReducing = false
      runner.isReducing = false
      return group
    }
  }

  private func dropEndedFeeds() {
    guard feeds.contains(where: \.hasEnded) else { return }
    // Released after the list has been changed: the end of a feed may run arbitrary code.
    let ended = feeds.filter(\.hasEnded)
    feeds.removeAll(where: \.hasEnded)
    withExtendedLifetime(ended) {}
  }

  private func notifyListeners() {
    if let listeners, let link = cause.link { listeners.notify(link) }
  }
}

/// Receives the actions that effects send to a store, while it exists.
private final class RootSink<State, Action: Sendable>: EffectSink, @unchecked Sendable {
  // Unchecked: used on the store's actor only. Not weak: retaining an object that has weak
  // references takes a slow path, and a store is retained for each action.
  unowned var core: StoreCore<State, Action>?

  func take(_ action: Action, _ delivery: EffectDelivery) {
    guard let core else { return delivery.finish() }
    core.take(action, delivery)
  }
}

extension EffectDelivery {
  /// Called when the action begins to wait; its scope is kept in the tree meanwhile.
  fileprivate func beginWaiting() {
    if effect == nil { scope.beginUse() }
  }

  /// Called when the action has been reduced or dropped.
  fileprivate func endWaiting() {
    if effect == nil { scope.endUse() }
    finish()
  }
}

/// An action, with the chain of `.send` effects that led to it.
package final class SendChain<Action: Sendable>: Sendable {
  package let action: Action
  /// The previous action; `nil` if this one came from outside, or from an effect that ran.
  package let previous: SendChain?
  /// The number of `.send` effects in the chain.
  package let length: Int

  init(_ action: Action, after previous: SendChain?) {
    self.action = action
    self.previous = previous
    length = previous.map { $0.length + 1 } ?? 0
  }
}
