/// The parameters of a throttled effect.
struct ThrottleTerms: Sendable {
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
  var waiting: (() -> [Task<Void, Never>])?
  /// The running effect that sleeps until the end of the interval and then calls `waiting`.
  var waiter: ActiveEffect?
}

extension EffectRunner {
  /// Performs `operation` now, when the interval is over, or never.
  func throttle<Action>(
    _ operation: EffectOperation<Action>, _ terms: ThrottleTerms, _ context: EffectContext<Action>
  ) -> [Task<Void, Never>] {
    let scope = context.scope
    let now = terms.clock.now
    guard let open = scope.throttles[terms.id], open.until > now else {
      scope.throttles = scope.throttles.filter { $0.value.until > now }
      scope.throttles[terms.id] = Throttle(until: now + terms.interval)
      return perform(operation, in: context)
    }
    // A waiter that was cancelled will not perform anything.
    let isFirst = open.waiter.map { $0.isCancelled || $0.hasEnded } ?? true
    guard isFirst || terms.latest else { return [] }
    guard isFirst else {
      let inner = open.waiter.map { context.waiting(for: $0) } ?? context
      scope.throttles[terms.id]?.waiting = { [self] in perform(operation, in: inner) }
      return []
    }
    let end = open.until
    return start(context) { effect, inner in
      scope.throttles[terms.id]?.waiter = effect
      scope.throttles[terms.id]?.waiting = { [self] in perform(operation, in: inner) }
      return EffectRun(priority: nil) { [self] send in
        guard (try? await terms.clock.sleep(until: end)) != nil, !effect.isCancelled
        else { return }
        await send.waitForAll(
          endThrottle(terms.id, in: scope, until: end + terms.interval))
      }
    }
  }

  private func endThrottle(
    _ id: AnySendableHashable, in scope: EffectScope, until next: Duration
  ) -> [Task<Void, Never>] {
    guard let waiting = scope.throttles[id]?.waiting else { return [] }
    scope.throttles[id] = Throttle(until: next)
    return waiting()
  }
}

extension EffectContext {
  /// A copy for operations that the running effect `effect` performs and waits for.
  fileprivate func waiting(for effect: ActiveEffect) -> EffectContext {
    var copy = self
    copy.group = effect.group
    copy.waiter = effect
    return copy
  }
}
