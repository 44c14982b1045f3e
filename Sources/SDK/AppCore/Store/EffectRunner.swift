/// Performs a store's effects, on the store's actor, and keeps account of those that run.
final class EffectRunner<Action: Sendable> {
  /// Names running effects: an id within a scope, or a scope as a whole.
  struct Key: Hashable, Sendable {
    let scope: EffectID?
    let id: EffectID?
  }

  /// The scope and the keys that what is started next belongs to.
  struct Context: Sendable {
    var scope: EffectID?
    var keys: [Key] = []
    /// What is sent when an effect dismisses the child it belongs to.
    var dismissal: Action?
    /// How the dependencies differ, the outermost change first.
    var updates: [@Sendable (inout DependencyValues) -> Void] = []
  }

  /// One effect that runs.
  final class Token: @unchecked Sendable {
    // Unchecked: touched on the store's actor only.
    let keys: [Key]
    /// What the store's dependencies were; set where the effect has others of its own.
    var surroundings: DependencyValues?
    var task: Task<Void, Never>?
    var isCancelled = false
    var hasEnded = false

    init(keys: [Key]) { self.keys = keys }
  }

  let monitor = ActivityMonitor()
  private let isolation: any Actor
  private let enqueue: (Action) -> Void
  private var running: [Int: Token] = [:]
  private var byKey: [Key: Set<Int>] = [:]
  private var nextID = 0
  private var throttles: [Key: Throttle] = [:]

  /// An interval in which one effect was performed.
  private struct Throttle {
    let until: Duration
    /// The scopes it belongs to, and ends with.
    let keys: [Key]
    /// What is performed when it is over.
    var waiting: EffectOperation<Action>?
    /// The effect that waits to perform it.
    var waiter: Token?
  }

  /// - Parameters:
  ///   - isolation: the store's actor; every method is called on it.
  ///   - enqueue: takes an action that an effect sends; called on the actor.
  init(isolation: any Actor, enqueue: @escaping (Action) -> Void) {
    self.isolation = isolation
    self.enqueue = enqueue
  }

  deinit {
    for token in running.values { token.task?.cancel() }
  }

  /// Starts what `operation` says, and returns the tasks that are still under way.
  @discardableResult
  func perform(
    _ operation: EffectOperation<Action>, in context: Context = Context()
  ) -> [Task<Void, Never>] {
    switch operation {
    case .send(let action):
      enqueue(action)
      return []
    case .run(let run): return start(context) { _ in run }
    case .merge(let operations): return operations.flatMap { perform($0, in: context) }
    case .concatenate(let operations):
      return start(context, asIs: true) { sequence(operations, context, token: $0) }
    case .cancellable(let operation, let id, let cancelInFlight):
      let key = Key(scope: context.scope, id: id)
      if cancelInFlight { cancel(key) }
      var inner = context
      inner.keys.append(key)
      return perform(operation, in: inner)
    case .cancel(let id):
      cancel(Key(scope: context.scope, id: id))
      return []
    case .scoped(let operation, let id):
      var inner = context
      inner.scope = context.scope.within(id)
      inner.keys.append(Key(scope: inner.scope, id: nil))
      return perform(operation, in: inner)
    case .endScope(let id):
      let key = Key(scope: context.scope.within(id), id: nil)
      cancel(key)
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
    case .throttled(let operation, let id, let interval, let latest):
      return throttle(operation, Key(scope: context.scope, id: id), interval, latest, context)
    }
  }

  private func cancel(_ key: Key) {
    guard let ids = byKey[key] else { return }
    for id in ids.sorted() {
      guard let token = running[id] else { continue }
      token.isCancelled = true
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
  ///   - makeRun: makes the work.
  /// - Returns: its task, unless it has ended.
  private func start(
    _ context: Context, asIs: Bool = false, _ makeRun: (Token) -> EffectRun<Action>
  ) -> [Task<Void, Never>] {
    nextID += 1
    let id = nextID
    let token = Token(keys: context.keys)
    let run = makeRun(token)
    running[id] = token
    for key in token.keys { byKey[key, default: []].insert(id) }
    let door = Door(self, isolation: isolation)
    let channel = EffectChannel<Action> { await door.deliver($0, from: token) }
    let activity = EffectActivity(monitor)
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
        }
      }
    }
    guard !token.hasEnded else { return [] }
    token.task = task
    if token.isCancelled { task.cancel() }
    return [task]
  }

  /// Starts `body` on the store's actor; it runs at once, up to where it first waits.
  private func launch(
    priority: TaskPriority?,
    body: nonisolated(nonsending) @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    func launch<A: Actor>(on actor: isolated A) -> Task<Void, Never> {
      Task.immediate(priority: priority) {
        _ = actor
        await body()
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
    let door = Door(self, isolation: isolation)
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
    for update in context.updates { update(&values) }
    if let action = context.dismissal {
      values.dismiss = DismissEffect { await channel.deliver(action) }
    }
    return values
  }

  /// Performs `operation` now, when the interval is over, or never.
  private func throttle(
    _ operation: EffectOperation<Action>, _ key: Key, _ interval: Duration, _ latest: Bool,
    _ context: Context
  ) -> [Task<Void, Never>] {
    var values = DependencyValues.current
    for update in context.updates { update(&values) }
    let clock = values.clock
    let now = clock.now
    guard let open = throttles[key], open.until > now else {
      throttles = throttles.filter { $0.value.until > now }
      throttles[key] = Throttle(until: now + interval, keys: context.keys)
      return perform(operation, in: context)
    }
    // A waiter that was cancelled performs nothing any more.
    let isFirst = open.waiter.map { $0.isCancelled || $0.hasEnded } ?? true
    if isFirst || latest { throttles[key]?.waiting = operation }
    guard isFirst else { return [] }
    let door = Door(self, isolation: isolation)
    return start(context, asIs: true) { token in
      throttles[key]?.waiter = token
      return EffectRun(priority: nil) { _ in
        guard (try? await clock.sleep(until: open.until)) != nil else { return }
        for task in await door.endThrottle(key, until: open.until + interval, context, token) {
          await task.value
        }
      }
    }
  }

  fileprivate func endThrottle(
    _ key: Key, until next: Duration, _ context: Context
  ) -> [Task<Void, Never>] {
    guard let waiting = throttles[key]?.waiting else { return [] }
    throttles[key] = Throttle(until: next, keys: context.keys)
    return perform(waiting, in: context)
  }

  private func forget(_ id: Int, _ token: Token) {
    running[id] = nil
    for key in token.keys {
      byKey[key]?.remove(id)
      if byKey[key]?.isEmpty == true { byKey[key] = nil }
    }
  }

  /// An action from an effect; after the effect's end it is reported instead of taken.
  fileprivate func deliver(_ action: Action, from token: Token) {
    guard !token.isCancelled else { return }
    guard !token.hasEnded else {
      Issue.report(
        """
        An effect sent an action after it had ended: \(action)
        Its 'send' was kept beyond the end of 'run', so nothing could cancel it any more. Wait \
        inside 'run' for what still has to send.
        """)
      return
    }
    guard let surroundings = token.surroundings else { return enqueue(action) }
    // The effect's own dependencies are not those of the reducers that answer it.
    DependencyValues.$current.withValue(surroundings) { enqueue(action) }
  }

  fileprivate func ended(_ id: Int, _ token: Token) {
    token.hasEnded = true
    if running[id] === token { forget(id, token) }
  }
}

/// Leads an effect back to its store's runner; every use is on the store's actor.
///
/// Its functions are nonsending: on the actor already, as effects are, they go on without a hop.
private final class Door<Action: Sendable>: @unchecked Sendable {
  // Unchecked: `runner`, and the tokens and contexts that pass, are touched on the actor only.
  private weak var runner: EffectRunner<Action>?
  private let isolation: any Actor

  init(_ runner: EffectRunner<Action>, isolation: any Actor) {
    self.runner = runner
    self.isolation = isolation
  }

  nonisolated(nonsending) func deliver(
    _ action: Action, from token: EffectRunner<Action>.Token
  ) async {
    await enter(isolation) { self.runner?.deliver(action, from: token) }
  }

  nonisolated(nonsending) func ended(_ id: Int, _ token: EffectRunner<Action>.Token) async {
    await enter(isolation) { self.runner?.ended(id, token) }
  }

  nonisolated(nonsending) func perform(
    _ operation: EffectOperation<Action>, in context: EffectRunner<Action>.Context,
    of token: EffectRunner<Action>.Token
  ) async -> [Task<Void, Never>] {
    await enter(isolation) {
      // A sequence may cancel itself while it still starts, before its task is known.
      token.isCancelled ? [] : self.runner?.perform(operation, in: context) ?? []
    }
  }

  func endThrottle(
    _ key: EffectRunner<Action>.Key, until next: Duration, _ context: EffectRunner<Action>.Context,
    _ token: EffectRunner<Action>.Token
  ) async -> [Task<Void, Never>] {
    await enter(isolation) {
      token.isCancelled ? [] : self.runner?.endThrottle(key, until: next, context) ?? []
    }
  }

  private func enter<Result: Sendable>(
    _ actor: isolated any Actor, _ body: @Sendable () -> Result
  ) async -> Result {
    body()
  }
}
