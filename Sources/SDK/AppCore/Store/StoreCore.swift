internal import Glibc

/// A type-erased ``StoreCore``.
protocol AnyStoreCore: AnyObject {
  /// The dependencies that reducers see; by default those current when the store was created.
  var dependencies: DependencyValues { get set }
  var runner: EffectRunner { get }
  /// Called when the buffer has run empty, if any action was reduced.
  var didSettleActions: (() -> Void)? { get set }
  /// Retains what a sequence has here until it has no consumer, or the store is released.
  func keep(_ stream: ValueStream)
  /// The store's actor, if it runs on another thread than the caller.
  ///
  /// A ``Store`` that is released there ends on the actor, where its effects run.
  var actorElsewhere: (any Actor)? { get }
}

/// The root of a store: the state, the reducer and the effects, which all stores scoped from it
/// share.
///
/// The path of an action:
/// 1. ``send(_:)`` reduces it, or appends it to ``waiting`` if another one is being reduced.
/// 2. ``reduce(_:_:_:)`` runs the reducer on ``stored`` and performs the effect. A `.send` effect
///    appends its action.
/// 3. when no action is waiting, observers are called; the actions that they send are reduced next.
final class StoreCore<State, Action: Sendable>: AnyStoreCore, StoreNode {
  let isolation: any Actor
  let runner: EffectRunner
  var didSettleActions: (() -> Void)?
  var dependencies = DependencyValues.current {
    didSet { followSharedValues() }
  }
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
  // `inout` argument, and ``EffectRunner/isReducing`` guards everything else.
  @exclusivity(unchecked) private var stored: State
  @exclusivity(unchecked) private var isChangingState = false
  /// The number of actions in the cascade before the one that is being reduced, whether effects or
  /// observers sent them.
  @exclusivity(unchecked) private var cascade = 0
  /// Whether the actor runs on one thread, which outlives it: the main one, or a store's own.
  private let staysOnThread: Bool
  /// That thread, once the store was found to be used on its actor.
  @exclusivity(unchecked) private var checkedThread: pthread_t?
  private let waiting = ActionQueue<PendingAction>()
  private let reducer: (inout State, Action) -> Effect<Action>
  private let boundary = ActionBoundary(Action.self)
  private let door = WeakStore<State, Action>()
  /// Called when no action is waiting any more.
  private var observers: Listeners<State>?
  /// Called with each action once it is reduced, or has left the store as a delegate action.
  private var listeners: Listeners<ReducedAction<Action>>?
  private var streams: [ValueStream] = []
  private let sharedValues = SharedValueListener()
  /// The cursor of the next action, if it records the children that it reaches.
  private var trailCursor: EffectCursor?
  /// Whether a cascade is being cut: all further actions are dropped.
  @exclusivity(unchecked) private var isCutting = false
  /// Whether a cut was reported since the store was last idle.
  @exclusivity(unchecked) private var hasReportedCut = false
  /// The first action that was dropped, until it is reported.
  private var cutAction: Action?

  /// An action that waits, because another one is being reduced.
  private struct PendingAction {
    let action: Action
    let context: EffectContext
    let cascade: Int
  }

  init(
    initialState: State, reducer: @escaping (inout State, Action) -> Effect<Action>,
    isolation: any Actor
  ) {
    stored = initialState
    self.reducer = reducer
    self.isolation = isolation
    staysOnThread =
      isolation === MainActor.shared
      || isolation.unownedExecutor.asSerialExecutor() is StoreThread
    runner = EffectRunner(isolation: isolation)
    door.core = self
    followSharedValues()
  }

  deinit {
    door.core = nil
    sharedValues.end()
    runner.cancelAll()
  }

  var root: any AnyStoreCore { self }

  var current: State? { state }

  var state: State {
    checkIsolation()
    if isChangingState {
      fatalError(
        """
        the state of a Store<\(State.self), \(Action.self)> was read by its own reducer, which has \
        it as its first argument: use that one
        """)
    }
    return stored
  }

  /// Ends the process if the caller is not on the store's actor.
  ///
  /// An actor that has a thread of its own is asked once: that takes longer than most actions.
  private func checkIsolation() {
    guard !staysOnThread || pthread_self() != checkedThread else { return }
    isolation.preconditionIsolated(
      """
      a Store<\(State.self), \(Action.self)> was used outside of the actor on which it was created; \
      send to it through its 'sender'
      """)
    if staysOnThread { checkedThread = pthread_self() }
  }

  // MARK: Sending

  /// Reduces an action from outside, and all actions that it causes synchronously.
  func send(_ action: Action) -> StoreTask {
    checkIsolation()
    guard !runner.isReducing else {
      let context = EffectContext(group: EffectGroup(), scope: runner.scope)
      append(action, context)
      return StoreTask(group: context.group)
    }
    return StoreTask(group: withOwnDependencies { drain(action, nil) })
  }

  func forward(_ action: Action) -> StoreTask { send(action) }

  /// Reduces an action from outside, and keeps the scope of the child that it reaches.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - outermost: the scope that its effects are in.
  /// - Returns: its effects, and the child.
  func send(_ action: Action, in outermost: ScopeID) -> ChildTask {
    let cursor = EffectCursor(runner, nil, recordsTrail: true)
    trailCursor = cursor
    let task = send(action)
    trailCursor = nil
    let scope = (cursor.trail ?? []).reduce(runner.scope.addingChild(outermost)) {
      $0.addingChild($1)
    }
    return ChildTask(task: task, scope: scope)
  }

  /// Reduces an action that an effect sends, in the effect's circumstances.
  func receive(_ action: Action, _ context: EffectContext) {
    if let effect = context.effect, effect.isCancelled {
      if effect.isCancelledWithInstance { didDrop?(action) }
      return context.finish()
    }
    if runner.isReducing { return append(action, context) }
    _ = withOwnDependencies { drain(action, context) }
  }

  /// Changes the state without an action, and starts the effects that are returned.
  func perform(_ make: (inout State) -> Effect<Action>) -> StoreTask {
    StoreTask(
      group: withOwnDependencies {
        var group: EffectGroup?
        perform(make(&stored), from: nil, in: &group)
        return group
      })
  }

  private func append(_ action: Action, _ context: EffectContext) {
    // A cascade that branches fills the buffer long before any of its chains is long.
    guard cascade < cascadeLimit, waiting.count < waitingLimit, !isCutting else {
      if !isCutting, !hasReportedCut { cutAction = action }
      isCutting = true
      return context.finish()
    }
    context.group.enter()
    // Its scope is kept in the tree meanwhile.
    if context.effect == nil { context.scope.beginUse() }
    waiting.append(PendingAction(action: action, context: context, cascade: cascade + 1))
  }

  /// Binds the store's dependencies, unless both they and the current ones are unchanged.
  private func withOwnDependencies(_ body: () -> EffectGroup?) -> EffectGroup? {
    guard !dependencies.isUnchanged || !DependencyValues.current.isUnchanged else { return body() }
    return DependencyValues.withCurrent(dependencies, operation: body)
  }

  // MARK: Reducing

  /// Reduces an action, and those that it causes.
  private func drain(_ action: Action, _ context: EffectContext?) -> EffectGroup? {
    var group = context?.group
    runner.isReducing = true
    // The first action bypasses the buffer; most actions cause no others.
    reduce(action, context, &group)
    settle()
    context?.finish()
    return group
  }

  /// Reduces the actions that wait, and calls observers, until no action is waiting.
  private func settle() {
    repeat {
      if waiting.count > 0 { reduceWaiting() }
      if isCutting { reportCut() }
      // `isReducing` is still set, so that actions from observers are buffered as well.
      notifyObservers()
      if isCutting { reportCut() }
    } while waiting.count > 0
    cascade = 0
    isCutting = false
    hasReportedCut = false
    runner.isReducing = false
  }

  // Not inlined: a function that has a queued action as a variable looks its type up, even where it
  // returns early, which takes as long as most actions.
  @inline(never)
  private func reduceWaiting() {
    while let pending = waiting.popFirst() {
      let context = pending.context
      cascade = pending.cascade
      // An earlier action may have cancelled the effect that sent it.
      if context.effect?.isCancelled != true {
        var group: EffectGroup? = context.group
        reduce(pending.action, context, &group)
      }
      context.group.leave()
      if context.effect == nil { context.scope.endUse() }
      context.finish()
    }
  }

  /// Reports the cascade that was cut, unless one was reported since the store was last idle.
  ///
  /// The first time, the actions that the report and observers send are reduced. After that, all are
  /// dropped: an observer that answers each change would never let the store become idle.
  @inline(never)
  private func reportCut() {
    guard !hasReportedCut else { return }
    hasReportedCut = true
    isCutting = false
    cascade = 0
    guard let cutAction else { return }
    self.cutAction = nil
    didCut?(cutAction)
  }

  private func reduce(_ action: Action, _ context: EffectContext?, _ group: inout EffectGroup?) {
    // A delegate action never comes back to the reducer that emitted it.
    if boundary.isDelegate(action) { return notifyListeners(ofDelegate: action) }
    let effect = reduce(action, at: cursor(context))
    if !effect.isNone || listeners != nil { follow(effect, of: action, context, &group) }
  }

  // Not inlined, nor what it calls: they look up types, which takes as long as most actions.
  @inline(never)
  private func notifyListeners(ofDelegate action: Action) {
    listeners?.notify(ReducedAction(action, after: nil))
  }

  @inline(never)
  private func follow(
    _ effect: Effect<Action>, of action: Action, _ context: EffectContext?,
    _ group: inout EffectGroup?
  ) {
    guard let listeners else { return perform(effect, from: nil, in: &group) }
    // What an effect's work sends begins a new chain.
    let previous = context?.effect == nil ? context?.origin as? ReducedAction<Action> : nil
    let reduced = ReducedAction(action, after: previous)
    listeners.notify(reduced)
    perform(effect, from: reduced, in: &group)
  }

  private func perform(
    _ effect: Effect<Action>, from origin: ReducedAction<Action>?, in group: inout EffectGroup?
  ) {
    guard let operation = effect.operation else { return }
    let owner = group ?? EffectGroup()
    group = owner
    runner.perform(
      operation, in: EffectContext(group: owner, scope: runner.scope, origin: origin),
      to: door.receive)
    didPerform?()
  }

  /// A cursor with which operators end the effects of children that are gone; `nil` if none can be.
  private func cursor(_ context: EffectContext?) -> EffectCursor? {
    if let trailCursor {
      self.trailCursor = nil
      return trailCursor
    }
    guard runner.scope.treeHasChildren || context?.scope.isEnded == true else { return nil }
    return EffectCursor(runner, context)
  }

  private func reduce(_ action: Action, at cursor: EffectCursor?) -> Effect<Action> {
    let thread = ReducerThread.current
    // That of another store, whose reducer or effect uses this one.
    let outer = thread.cursor
    thread.cursor = cursor
    isChangingState = true
    defer {
      isChangingState = false
      thread.cursor = outer
    }
    return reducer(&stored, action)
  }

  // MARK: Notifying

  func observe(_ body: @escaping (State) -> Void) -> StoreObservation {
    checkIsolation()
    let observers = observers ?? Listeners()
    self.observers = observers
    return observers.add(body)
  }

  /// Calls `body` with each action once it is reduced, delegate actions included.
  func onActions(_ body: @escaping (ReducedAction<Action>) -> Void) -> StoreObservation {
    let listeners = listeners ?? Listeners()
    self.listeners = listeners
    return listeners.add(body)
  }

  func listen(_ body: @escaping (Action) -> Void) -> StoreObservation {
    onActions { body($0.action) }
  }

  func sender() -> ActionSender<Action> {
    ActionSender { [door, isolation] in await door.send($0, on: isolation) }
  }

  func keep(_ stream: ValueStream) {
    dropEndedStreams()
    streams.append(stream)
  }

  var actorElsewhere: (any Actor)? {
    guard let checkedThread, pthread_self() != checkedThread else { return nil }
    return isolation
  }

  private func notifyObservers() {
    sharedValues.areSeen()
    didSettleActions?()
    guard let observers else { return }
    dropEndedStreams()
    observers.notify(stored)
  }

  private func dropEndedStreams() {
    guard streams.contains(where: \.hasEnded) else { return }
    // Released after the list has been changed: the end of a stream may run arbitrary code.
    let ended = streams.filter(\.hasEnded)
    streams.removeAll(where: \.hasEnded)
    withExtendedLifetime(ended) {}
  }

  /// Calls observers when shared values change while nothing is reduced here.
  private func followSharedValues() {
    sharedValues.follow(dependencies.sharedValues, on: isolation) { [weak self] in
      guard let self, !runner.isReducing else { return }
      _ = withOwnDependencies {
        self.runner.isReducing = true
        self.settle()
        return nil
      }
    }
  }
}
