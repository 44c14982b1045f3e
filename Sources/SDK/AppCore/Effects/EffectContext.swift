/// What effects of one reducer belong to, and where their actions go.
struct EffectContext<Action: Sendable>: Sendable {
  let scope: EffectScope
  let sink: any EffectSink<Action>
  var keys: [EffectKey] = []
  /// Sends what dismisses the child that the effects belong to.
  var dismissal: (@Sendable (EffectDelivery) -> Void)?
  /// Those who are waited for together; `nil` for the ones of the action that is answered now.
  var group: EffectGroup?
  /// The action that is answered; known only where somebody asks.
  var origin: (any Sendable & AnyObject)?
  /// The effect that only waits for what is started next.
  var waiter: ActiveEffect?

  init(scope: EffectScope, sink: any EffectSink<Action>) {
    self.scope = scope
    self.sink = sink
  }

  /// The same inside a scope.
  func scoped(to scope: EffectScope) -> EffectContext {
    copy(scope: scope, sink: sink, dismissal: dismissal)
  }

  /// The same for a child.
  func embedded<Child: Sendable>(
    _ sink: some EffectSink<Child>, dismissal: Action?
  ) -> EffectContext<Child> {
    guard let dismissal else { return copy(scope: scope, sink: sink, dismissal: self.dismissal) }
    let outer = self.sink
    return copy(scope: scope, sink: sink) { outer.take(dismissal, $0) }
  }

  private func copy<Other: Sendable>(
    scope: EffectScope, sink: any EffectSink<Other>,
    dismissal: (@Sendable (EffectDelivery) -> Void)?
  ) -> EffectContext<Other> {
    var copy = EffectContext<Other>(scope: scope, sink: sink)
    copy.keys = keys
    copy.dismissal = dismissal
    copy.group = group
    copy.origin = origin
    copy.waiter = waiter
    return copy
  }
}

/// Takes the actions of effects; used on the store's actor only.
protocol EffectSink<Action>: AnyObject, Sendable {
  associatedtype Action: Sendable

  func take(_ action: Action, _ delivery: EffectDelivery)
}

/// How an effect's action reaches its store.
struct EffectDelivery: Sendable {
  let group: EffectGroup?
  /// What the effect belongs to.
  let scope: EffectScope
  /// The effect that sent it; `nil` for one that is nothing but the action.
  let effect: ActiveEffect?
  /// Whether what the effect belonged to in the whole store is gone, so that it is only noted.
  let isLate: Bool
  private let whenReduced: UnsafeContinuation<Void, Never>?

  /// The action of an effect that is nothing else.
  init(of group: EffectGroup?, in scope: EffectScope) {
    self.group = group
    self.scope = scope
    effect = nil
    isLate = false
    whenReduced = nil
  }

  init(
    _ effect: ActiveEffect, isLate: Bool = false,
    whenReduced: UnsafeContinuation<Void, Never>? = nil
  ) {
    group = effect.group
    scope = effect.scope
    self.effect = effect
    self.isLate = isLate
    self.whenReduced = whenReduced
  }

  /// Whether its effect was cancelled while waiting, so that nothing awaits it any more.
  var isCancelled: Bool { effect?.isCancelled ?? false }

  /// Resumes the effect: the action has been reduced or dropped.
  func finish() { whenReduced?.resume() }
}
