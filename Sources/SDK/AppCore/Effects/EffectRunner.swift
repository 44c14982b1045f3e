/// Runs a store's effects, on the store's actor.
///
/// All running effects are in one tree of ``EffectScope``s, whose root is ``scope``.
@usableFromInline
package final class EffectRunner: @unchecked Sendable {
  // Unchecked: used on the store's actor only.
  let isolation: any Actor
  let monitor = ActivityMonitor()
  /// The scope of the whole store.
  let scope = EffectScope()
  /// Whether the store is reducing, so that sent actions are queued.
  var isReducing = false
  /// Called when an effect has begun, ended or been cancelled.
  var didChange: (() -> Void)?
  /// Called with an effect that has begun and is not a part of another one.
  var didBegin: ((ActiveEffect) -> Void)?
  /// Called with such an effect when its work has ended.
  var didEnd: ((ActiveEffect) -> Void)?
  /// Called when the store has 10,000 effects, and whenever that doubles, if one outermost scope
  /// has at least half of them.
  var didFlood: ((_ scope: EffectScope, _ count: Int) -> Void)?
  /// The group of the action being processed; `nil` until its first effect starts.
  private var group: EffectGroup?
  private var count = 0
  /// The number of running effects with each cancellation id, in the whole store.
  private var cancellableCounts: [AnySendableHashable: Int] = [:]
  private var nextID = 0
  private var floodMark = 10_000

  init(isolation: any Actor) { self.isolation = isolation }

  deinit {
    for effect in scope.allEffects { effect.task?.cancel() }
  }

  /// Performs the operation that a reducer has returned.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - sink: takes the actions.
  ///   - origin: the action that returned the operation; `nil` unless the store records origins.
  ///   - group: counts the effects; created when the first one starts.
  func perform<Action>(
    _ operation: EffectOperation<Action>, for sink: some EffectSink<Action>,
    from origin: (any Sendable & AnyObject)?, in group: inout EffectGroup?
  ) {
    let outer = self.group
    self.group = group
    var context = EffectContext(scope: scope, sink: sink)
    context.origin = origin
    perform(operation, in: context)
    group = self.group
    self.group = outer
  }

  /// Performs an operation, and returns the tasks that still run.
  @discardableResult
  func perform<Action>(
    _ operation: EffectOperation<Action>, in context: EffectContext<Action>
  ) -> [Task<Void, Never>] {
    switch operation.kind {
    case .send(let action):
      context.sink.take(
        action, EffectDelivery(of: context.group ?? group, in: context.scope))
      return []
    case .run(let run): return start(context) { _, _ in run }
    case .merge(let operations): return operations.flatMap { perform($0, in: context) }
    case .concatenate(let operations):
      return start(context) { sequence(operations, $1, of: $0) }
    case .cancellable(let operation, let id, let cancelInFlight):
      if cancelInFlight { cancel(context.scope.effects(cancelledBy: id)) }
      var inner = context
      inner.keys.append(EffectKey(scope: context.scope, id: id))
      return perform(operation, in: inner)
    case .cancel(let id, ofChildren: true):
      cancel(effects(cancelledBy: id, from: context.scope))
      return []
    case .cancel(let id, ofChildren: false):
      cancel(context.scope.effects(cancelledBy: id))
      return []
    case .embedded(let operation): return operation.perform(in: context, by: self)
    case .scoped(let operation, let id):
      let scope = context.scope.addingChild(id)
      scope.beginUse()
      defer { scope.endUse() }
      return perform(operation, in: context.scoped(to: scope))
    case .endScope(let id):
      if let scope = context.scope.child(id.place, id.element) { end(scope) }
      return []
    case .endScopes(let place, let isKept):
      for (element, scope) in context.scope.children(at: place) where !isKept(element) {
        end(scope)
      }
      return []
    case .throttled(let operation, let terms): return throttle(operation, terms, context)
    }
  }

  /// The effects that `id` cancels for a reducer: its own and those of its children.
  ///
  /// - Complexity: O(*m* + *n* log *n*), where *n* is the number of effects found and *m* that of
  ///   the scopes inside; *m* is 0 if all effects with the id are the reducer's own.
  private func effects(
    cancelledBy id: AnySendableHashable, from scope: EffectScope
  ) -> [ActiveEffect] {
    let own = scope.effects(cancelledBy: id)
    let isOnlyOwn = own.count == cancellableCounts[id, default: 0]
    return isOnlyOwn ? own : scope.allEffects { $0.effects(cancelledBy: id) }
  }

  /// Cancels a child's effects, and those of the children inside it.
  func end(_ scope: EffectScope) {
    let isLate = scope.parent === self.scope
    cancel(scope.end(), isLate: isLate)
  }

  /// Cancels all effects.
  func cancelAll() { cancel(scope.end()) }

  private func cancel(_ effects: [ActiveEffect], isLate: Bool = false) {
    for effect in effects where !effect.isCancelled {
      effect.cancel(isLate: isLate)
      forget(effect)
    }
  }

  /// Starts one effect.
  ///
  /// - Parameters:
  ///   - context: its scope and the sink for its actions.
  ///   - makeRun: makes the work; it gets the effect, and the context for effects that the work
  ///     starts in turn.
  /// - Returns: its task; empty if it has already ended.
  func start<Action>(
    _ context: EffectContext<Action>,
    _ makeRun: (ActiveEffect, EffectContext<Action>) -> EffectRun<Action>
  ) -> [Task<Void, Never>] {
    let effect = begin(context)
    var inner = context
    inner.group = effect.group
    inner.waiter = effect
    let run = makeRun(effect, inner)
    let send = Send(effect, in: context, by: self)
    var dependencies = run.dependencies
    if context.dismissal != nil {
      dependencies.dismiss = DismissEffect { await send.dismiss() }
    }
    // Bound around the start, which the task inherits.
    let task = ActiveEffect.$current.withValue(effect) {
      DependencyValues.withCurrent(dependencies) {
        send.assumeIsolated { $0.start(run) }
      }
    }
    guard !effect.hasEnded else { return [] }
    effect.task = task
    effect.group.add(task, effect.id)
    if effect.isCancelled { task.cancel() }
    return [task]
  }

  private func begin<Action>(_ context: EffectContext<Action>) -> ActiveEffect {
    nextID += 1
    let effect = ActiveEffect(
      nextID, context.scope, keys: context.keys, group: context.group ?? currentGroup(),
      origin: context.origin, monitor: monitor, waiter: context.waiter)
    effect.group.enter()
    context.scope.add(effect)
    for key in effect.keys {
      key.scope.add(effect, cancelledBy: key.id)
      cancellableCounts[key.id, default: 0] += 1
    }
    count += 1
    if count >= floodMark { reportFlood(context.scope) }
    didChange?()
    if !effect.isPart { didBegin?(effect) }
    return effect
  }

  /// Records that an effect's work has ended.
  func ended(_ effect: ActiveEffect) {
    effect.hasEnded = true
    if !effect.isCancelled { forget(effect) }
    if !effect.isPart { didEnd?(effect) }
    effect.endActivity()
    effect.group.leave(effect.id)
  }

  private func forget(_ effect: ActiveEffect) {
    count -= 1
    for key in effect.keys {
      key.scope.remove(effect, cancelledBy: key.id)
      key.scope.leaveTreeIfEmpty()
      let others = cancellableCounts[key.id, default: 1] - 1
      cancellableCounts[key.id] = others == 0 ? nil : others
    }
    effect.scope.remove(effect)
    effect.scope.leaveTreeIfEmpty()
    didChange?()
  }

  /// Reports the outermost scope around `scope` if it has at least half of the store's effects.
  private func reportFlood(_ scope: EffectScope) {
    var outermost = scope
    while let outer = outermost.parent, outer !== self.scope { outermost = outer }
    let own = outermost.allEffects.count
    guard outermost !== self.scope, own * 2 >= count else { return }
    floodMark = count * 2
    didFlood?(outermost, own)
  }

  /// The group of the action being processed, created on first use.
  private func currentGroup() -> EffectGroup {
    if let group { return group }
    let made = EffectGroup()
    group = made
    return made
  }

  /// One effect that performs `operations` one after another.
  private func sequence<Action>(
    _ operations: [EffectOperation<Action>], _ context: EffectContext<Action>,
    of effect: ActiveEffect
  ) -> EffectRun<Action> {
    EffectRun(priority: nil) { [self] send in
      for operation in operations {
        // An effect may cancel itself during its start, before its task is stored.
        guard !Task.isCancelled, !effect.isCancelled else { return }
        await send.waitForAll(perform(operation, in: context))
      }
    }
  }
}

extension Send {
  /// Waits until all of `tasks` have ended; cancels them if the waiting task is cancelled.
  func waitForAll(_ tasks: [Task<Void, Never>]) async {
    for task in tasks {
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }
}
