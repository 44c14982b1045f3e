extension EffectRunner {
  /// An interval in which one effect was performed.
  struct Throttle {
    let until: Duration
    /// The scopes it belongs to, and ends with.
    let keys: ScopeKeys<EffectKey>
    /// What is performed when it is over.
    var waiting: EffectOperation<Action>?
    /// The effect that waits to perform it.
    var waiter: Token?
  }

  /// Performs `operation` now, when the interval is over, or never.
  func throttle(
    _ operation: EffectOperation<Action>, _ key: EffectKey, _ interval: Duration, _ latest: Bool,
    _ context: Context
  ) -> [Task<Void, Never>] {
    var values = DependencyValues.current
    for update in context.updates { values.change(update) }
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
    let door = EffectDoor(self, isolation: isolation)
    return start(context, asIs: true) { token, context in
      throttles[key]?.waiter = token
      return EffectRun(priority: nil) { _ in
        guard (try? await clock.sleep(until: open.until)) != nil else { return }
        for task in await door.endThrottle(key, until: open.until + interval, context, token) {
          await task.value
        }
      }
    }
  }

  func endThrottle(
    _ key: EffectKey, until next: Duration, _ context: Context
  ) -> [Task<Void, Never>] {
    guard let waiting = throttles[key]?.waiting else { return [] }
    throttles[key] = Throttle(until: next, keys: context.keys)
    return perform(waiting, in: context)
  }
}
