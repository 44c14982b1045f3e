/// Runs a store's effects, on the store's actor.
///
/// All running effects are in one tree of ``EffectScope``s, whose root is ``scope``.
final class EffectRunner: @unchecked Sendable {
  // Unchecked: used on the store's actor only.
  let isolation: any Actor
  let account = ActivityAccount()
  /// The scope of the whole store.
  let scope = EffectScope()
  /// Whether the store is reducing, so that sent actions are queued.
  @exclusivity(unchecked) var isReducing = false
  /// Called when an effect has begun, ended or been cancelled.
  var didChange: (() -> Void)?
  /// Called with an effect that has begun and is not a part of another one.
  var didBegin: ((ActiveEffect) -> Void)?
  /// Called with such an effect when its work has ended.
  var didEnd: ((ActiveEffect) -> Void)?
  /// Called when the store has 10,000 effects, and whenever that doubles, if one outermost scope
  /// has at least half of them.
  var didFlood: ((_ scope: EffectScope, _ count: Int) -> Void)?
  private var nextID = 0
  private var floodMark = 10_000

  init(isolation: any Actor) { self.isolation = isolation }

  deinit {
    for effect in scope.allEffects { effect.task?.cancel() }
  }

  /// Performs an operation, and returns the tasks that still run.
  @discardableResult
  func perform<Action>(
    _ operation: EffectOperation<Action>, in context: EffectContext,
    to sink: @escaping EffectSink<Action>
  ) -> [Task<Void, Never>] {
    switch operation.kind {
    case .send(let action):
      var delivery = context
      delivery.effect = nil
      sink(action, delivery)
      return []
    case .run(let run): return start(context, to: sink) { _, _ in run }
    case .merge(let operations):
      return operations.flatMap { perform($0, in: context, to: sink) }
    case .concatenate(let operations):
      // One effect that performs them one after another.
      return start(context, to: sink) { effect, inner in
        EffectRun(priority: nil) { [self] send in
          let sent = EffectGroup()
          for operation in operations {
            // While the store is reducing, the actions of `.send` effects are queued. Further ones
            // follow at once, so that no other action comes between them.
            if !operation.isSend, !sent.hasEnded { await sent.finish() }
            // An effect may cancel itself during its start, before its task is stored.
            guard !Task.isCancelled, !effect.isCancelled else { return }
            await send.waitForAll(perform(operation, in: inner, to: counting(sink, in: sent)))
          }
        }
      }
    case .cancellable(let operation, let id, let cancelInFlight):
      if cancelInFlight { cancel(context.scope.effects(cancelledBy: id)) }
      var inner = context
      inner.keys.append((context.scope, id))
      return perform(operation, in: inner, to: sink)
    case .cancel(let id, let ofChildren):
      let scope = context.scope
      cancel(
        ofChildren
          ? scope.allEffects { $0.effects(cancelledBy: id) } : scope.effects(cancelledBy: id))
      return []
    case .embedded(let operation): return operation.perform(by: self, in: context, to: sink)
    case .scoped(let operation, let id):
      var inner = context
      inner.scope = context.scope.addingChild(id)
      inner.scope.beginUse()
      defer { inner.scope.endUse() }
      return perform(operation, in: inner, to: sink)
    case .endScope(let id):
      if let scope = context.scope.child(id.place, id.element) { end(scope) }
      return []
    case .endScopes(let place, let isKept):
      for (element, scope) in context.scope.children(at: place) where !isKept(element) {
        end(scope)
      }
      return []
    case .throttled(let operation, let options):
      return throttle(operation, options, context, sink)
    }
  }

  /// Counts the actions of `.send` effects in `group` until they are reduced or dropped.
  private func counting<Action>(
    _ sink: @escaping EffectSink<Action>, in group: EffectGroup
  ) -> EffectSink<Action> {
    { action, context in
      guard context.effect == nil else { return sink(action, context) }
      group.enter()
      var delivery = context
      delivery.whenReduced = {
        context.finish()
        group.leave()
      }
      sink(action, delivery)
    }
  }

  // MARK: Cancelling

  /// Cancels a child's effects, and those of the children inside it.
  func end(_ scope: EffectScope) {
    let isInstance = scope.parent === self.scope
    cancel(scope.end(), withInstance: isInstance)
  }

  /// Cancels all effects.
  func cancelAll() { cancel(scope.end()) }

  private func cancel(_ effects: [ActiveEffect], withInstance: Bool = false) {
    for effect in effects where !effect.isCancelled {
      effect.cancel(withInstance: withInstance)
      forget(effect)
    }
  }

  // MARK: Running

  /// Starts one effect.
  ///
  /// - Parameters:
  ///   - context: its circumstances.
  ///   - sink: receives its actions.
  ///   - makeRun: makes the work; it gets the effect, and the circumstances of effects that the work
  ///     starts in turn.
  /// - Returns: its task; empty if it has already ended.
  private func start<Action>(
    _ context: EffectContext, to sink: @escaping EffectSink<Action>,
    _ makeRun: (ActiveEffect, EffectContext) -> EffectRun<Action>
  ) -> [Task<Void, Never>] {
    let effect = begin(context)
    var inner = context
    inner.effect = effect
    let run = makeRun(effect, inner)
    let send = Send(effect, to: sink, by: self)
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
    context.group.add(task, effect.id)
    if effect.isCancelled { task.cancel() }
    return [task]
  }

  private func begin(_ context: EffectContext) -> ActiveEffect {
    nextID += 1
    let effect = ActiveEffect(nextID, context, account)
    context.group.enter()
    context.scope.add(effect)
    for key in context.keys { key.scope.add(effect, cancelledBy: key.id) }
    if didFlood != nil, case let count = account.running, count >= floodMark {
      reportFlood(context.scope, count)
    }
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
    effect.context.group.leave(effect.id)
  }

  private func forget(_ effect: ActiveEffect) {
    for key in effect.context.keys {
      key.scope.remove(effect, cancelledBy: key.id)
      key.scope.leaveTreeIfEmpty()
    }
    effect.scope.remove(effect)
    effect.scope.leaveTreeIfEmpty()
    didChange?()
  }

  /// Reports the outermost scope around `scope` if it has at least half of the store's effects.
  private func reportFlood(_ scope: EffectScope, _ count: Int) {
    var outermost = scope
    while let outer = outermost.parent, outer !== self.scope { outermost = outer }
    let own = outermost.allEffects.count
    guard outermost !== self.scope, own * 2 >= count else {
      // Not at each further effect, since the effects have to be counted.
      floodMark = count + count / 8
      return
    }
    floodMark = count * 2
    didFlood?(outermost, own)
  }

  // MARK: Throttling

  /// Performs `operation` now, when the interval is over, or never.
  private func throttle<Action>(
    _ operation: EffectOperation<Action>, _ options: ThrottleOptions, _ context: EffectContext,
    _ sink: @escaping EffectSink<Action>
  ) -> [Task<Void, Never>] {
    let scope = context.scope
    let now = options.clock.now
    // An interval that is over stays open until the effect that waits for its end has continued.
    guard let open = scope.throttles[options.id], open.until > now || open.waitingEffect != nil
    else {
      scope.throttles = scope.throttles.filter {
        $0.value.until > now || $0.value.waitingEffect != nil
      }
      scope.throttles[options.id] = Throttle(until: now + options.interval)
      return perform(operation, in: context, to: sink)
    }
    if let waiting = open.waitingEffect {
      guard options.latest else { return [] }
      var inner = context
      inner.group = waiting.context.group
      inner.effect = waiting
      scope.throttles[options.id]?.perform = { [self, inner] in
        perform(operation, in: inner, to: sink)
      }
      return []
    }
    let end = open.until
    return start(context, to: sink) { effect, inner in
      scope.throttles[options.id]?.effect = effect
      scope.throttles[options.id]?.perform = { [self] in perform(operation, in: inner, to: sink) }
      return EffectRun(priority: nil) { send in
        guard (try? await options.clock.sleep(until: end)) != nil, !effect.isCancelled,
          let open = scope.throttles[options.id], open.effect === effect, let perform = open.perform
        else { return }
        scope.throttles[options.id] = Throttle(until: end + options.interval)
        await send.waitForAll(perform())
      }
    }
  }
}

/// The parameters of a throttled effect.
struct ThrottleOptions: Sendable {
  let id: AnySendableHashable
  let interval: Duration
  /// Whether the latest or the earliest of the effects that arrive during the interval is
  /// performed.
  let latest: Bool
  let clock: AppClock
}

/// An interval that began when an effect was performed.
struct Throttle {
  let until: Duration
  /// Performs the effect that waits for the end of the interval.
  var perform: (() -> [Task<Void, Never>])?
  /// The running effect that sleeps until the end of the interval and then calls `perform`.
  var effect: ActiveEffect?

  /// The running effect, unless it was cancelled and so will not perform anything.
  var waitingEffect: ActiveEffect? {
    guard let effect, !effect.isCancelled, !effect.hasEnded, effect.task?.isCancelled != true
    else { return nil }
    return effect
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
