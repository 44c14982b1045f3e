/// Performs a store's effects, on the store's actor, and keeps account of those that run.
final class EffectRunner<Action: Sendable> {
  let monitor = ActivityMonitor()
  /// Called when an effect has begun or ended.
  var didChange: (() -> Void)?
  /// Called with an action of an effect whose scope in the whole store has ended.
  var didDrop: ((Action) -> Void)?
  /// Called when a scope of the store has very many effects: 10,000, and each doubling of that.
  var didFlood: ((_ scope: EffectID, _ count: Int) -> Void)?
  let isolation: any Actor
  let enqueue: (_ action: Action, _ group: EffectGroup?, _ isDirect: Bool) -> Void
  /// The group of the action that is answered now, once an effect of its has started.
  private var group: EffectGroup?
  private(set) var running: [Int: Token] = [:]
  private var byKey: [EffectKey: Set<Int>] = [:]
  private var nextID = 0
  var throttles: [EffectKey: Throttle] = [:]

  /// - Parameters:
  ///   - isolation: the store's actor; every method is called on it.
  ///   - enqueue: takes an action that an effect sends, with the effect's group and whether the
  ///     effect is nothing but that action; called on the actor.
  init(
    isolation: any Actor, enqueue: @escaping (Action, EffectGroup?, _ isDirect: Bool) -> Void
  ) {
    self.isolation = isolation
    self.enqueue = enqueue
  }

  deinit {
    for token in running.values { token.task?.cancel() }
  }

  /// The effects that run, in the order in which they began.
  ///
  /// - Complexity: O(n log n) in how many run.
  var activities: [EffectActivity] {
    running.sorted { $0.key < $1.key }.compactMap(\.value.activity)
  }

  /// Starts what `operation` says.
  ///
  /// - Parameters:
  ///   - operation: what an action or a store brought about.
  ///   - origin: the action; `nil` where nobody asks.
  ///   - group: what the effects are counted in; made when the first one starts.
  func perform(
    _ operation: EffectOperation<Action>, from origin: EffectOrigin<Action>?,
    in group: inout EffectGroup?
  ) {
    let outer = self.group
    self.group = group
    var context = Context()
    context.origin = origin
    perform(operation, in: context)
    group = self.group
    self.group = outer
  }

  /// The actions whose effects run, each once, in the order in which they were answered; `nil` for
  /// effects that no action started.
  var runningOrigins: [Action?] {
    var seen: Set<ObjectIdentifier?> = []
    return running.sorted { $0.key < $1.key }.compactMap { _, token in
      seen.insert(token.origin.map(ObjectIdentifier.init)).inserted
        ? .some(token.origin?.action) : nil
    }
  }

  /// Ends all effects.
  func cancelAll() {
    for id in running.keys.sorted() {
      guard let token = running[id] else { continue }
      token.isCancelled = true
      token.task?.cancel()
      forget(id, token)
    }
    throttles = [:]
  }

  /// Starts what `operation` says, and returns the tasks that are still under way.
  @discardableResult
  func perform(
    _ operation: EffectOperation<Action>, in context: Context
  ) -> [Task<Void, Never>] {
    switch operation {
    case .send(let action):
      enqueue(action, context.group ?? group, true)
      return []
    case .run(let run): return start(context) { _, _ in run }
    case .merge(let operations): return operations.flatMap { perform($0, in: context) }
    case .concatenate(let operations):
      return start(context, asIs: true) { sequence(operations, $1, token: $0) }
    case .cancellable(let operation, let id, let cancelInFlight):
      let key = EffectKey(scope: context.scope, id: id)
      if cancelInFlight { cancel(key) }
      var inner = context
      inner.keys.append(key)
      return perform(operation, in: inner)
    case .cancel(let id):
      cancel(EffectKey(scope: context.scope, id: id))
      return []
    case .scoped(let operation, let id):
      var inner = context
      inner.scope = context.scope.within(id)
      inner.keys.append(EffectKey(scope: inner.scope, id: nil))
      return perform(operation, in: inner)
    case .endScope(let id):
      if byKey.isEmpty, throttles.isEmpty { return [] }
      let key = EffectKey(scope: context.scope.within(id), id: nil)
      cancel(key, isLate: context.scope == nil)
      if !throttles.isEmpty { throttles = throttles.filter { !$0.value.keys.contains(key) } }
      return []
    case .dismissing(let operation, let action):
      var inner = context
      inner.dismissal = action
      return perform(operation, in: inner)
    case .updating(let operation, let update):
      var inner = context
      inner.updates.append(update)
      return perform(operation, in: inner)
    case .mapped(let operation):
      guard EffectOperation<Action>.hasStack() else { return [] }
      return perform(operation.expanded, in: context)
    case .throttled(let operation, let id, let interval, let latest):
      return throttle(operation, EffectKey(scope: context.scope, id: id), interval, latest, context)
    }
  }

  private func cancel(_ key: EffectKey, isLate: Bool = false) {
    guard let ids = byKey[key] else { return }
    for id in ids.sorted() {
      guard let token = running[id] else { continue }
      token.isCancelled = true
      token.isLate = isLate
      token.task?.cancel()
      forget(id, token)
    }
  }

  /// Starts one effect.
  ///
  /// - Parameters:
  ///   - context: what it belongs to.
  ///   - asIs: whether it keeps the dependencies around it, because what it performs in turn gets
  ///     those of the context.
  ///   - makeRun: makes the work, for the context with the group in it.
  /// - Returns: its task, unless it has ended.
  func start(
    _ context: Context, asIs: Bool = false, _ makeRun: (Token, Context) -> EffectRun<Action>
  ) -> [Task<Void, Never>] {
    nextID += 1
    let id = nextID
    let group = context.group ?? currentGroup()
    var context = context
    context.group = group
    let activity = EffectActivity(monitor, waiter: context.waiter, scope: context.scope)
    context.waiter = activity
    let token = Token(context, group)
    let run = makeRun(token, context)
    group.enter()
    running[id] = token
    for key in token.keys { byKey[key, default: []].insert(id) }
    if running.count >= floodMark { tellFlood(token) }
    didChange?()
    let door = EffectDoor(self, isolation: isolation)
    let channel = EffectChannel<Action> { await door.deliver($0, from: token) }
    let surroundings = DependencyValues.current
    let own = asIs ? nil : dependencies(in: context, channel: channel)
    if own != nil { token.surroundings = surroundings }
    let dependencies = own ?? surroundings
    // Bound around the start, which the task inherits: bound inside the task, the closure of
    // `withValue` would leave the store's actor.
    let task = EffectActivity.$current.withValue(activity) {
      DependencyValues.$current.withValue(dependencies) {
        launch(priority: run.priority) {
          await run.body(channel)
          await door.ended(id, token)
          activity.end()
          group.leave(id)
        }
      }
    }
    guard !token.hasEnded else { return [] }
    token.task = task
    group.add(task, id)
    if token.isCancelled { task.cancel() }
    return [task]
  }

  /// The most effects that run at once in the whole store before somebody is told.
  private static var floodLimit: Int { 10_000 }
  private var floodMark = EffectRunner.floodLimit

  /// Tells of the scope with very many effects, should it be this one's.
  private func tellFlood(_ token: Token) {
    // The outermost one: it stands last.
    var outermost: EffectKey?
    for key in token.keys where key.id == nil { outermost = key }
    guard let outermost, let scope = outermost.scope, let count = byKey[outermost]?.count,
      count * 2 >= running.count
    else { return }
    floodMark = running.count * 2
    didFlood?(scope, count)
  }

  /// The group of the action that is answered now.
  private func currentGroup() -> EffectGroup {
    if let group { return group }
    let made = EffectGroup()
    group = made
    return made
  }

  /// Starts `body` on the store's actor; it runs at once, up to where it first waits.
  private func launch(
    priority: TaskPriority?,
    body: nonisolated(nonsending) @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    let executor = monitor.executor
    func launch<A: Actor>(on actor: isolated A) -> Task<Void, Never> {
      Task.immediate(priority: priority) {
        _ = actor
        guard let executor else { return await body() }
        // Not by the task's own preference: a task that has one is not started at once.
        await withTaskExecutorPreference(executor) {
          _ = actor
          await body()
        }
      }
    }
    func open<A: Actor>(_ actor: A) -> Task<Void, Never> {
      actor.assumeIsolated { launch(on: $0) }
    }
    return _openExistential(isolation, do: open)
  }

  /// One effect that performs `operations` one after another.
  private func sequence(
    _ operations: [EffectOperation<Action>], _ context: Context, token: Token
  ) -> EffectRun<Action> {
    let door = EffectDoor(self, isolation: isolation)
    return EffectRun(priority: nil) { _ in
      for operation in operations {
        guard !Task.isCancelled else { return }
        let tasks = await door.perform(operation, in: context, of: token)
        for task in tasks {
          await withTaskCancellationHandler {
            await task.value
          } onCancel: {
            task.cancel()
          }
        }
      }
    }
  }

  /// The dependencies of an effect in a context; `nil` where they are those around it.
  private func dependencies(
    in context: Context, channel: EffectChannel<Action>
  ) -> DependencyValues? {
    guard context.dismissal != nil || !context.updates.isEmpty else { return nil }
    var values = DependencyValues.current
    for update in context.updates { values.change(update) }
    if let action = context.dismissal {
      values.dismiss = DismissEffect { await channel.deliver(action()) }
    }
    return values
  }

  func forget(_ id: Int, _ token: Token) {
    defer { didChange?() }
    running[id] = nil
    for key in token.keys {
      byKey[key]?.remove(id)
      if byKey[key]?.isEmpty == true { byKey[key] = nil }
    }
  }
}
