/// The scope of a reducer's effects, and the sink for their actions.
struct EffectContext<Action: Sendable>: Sendable {
  let scope: EffectScope
  let sink: any EffectSink<Action>
  var keys: [EffectKey] = []
  /// Sends the action that dismisses the child that the effects belong to; `nil` if no child is
  /// presented.
  var dismissal: (@Sendable (EffectDelivery) -> Void)?
  /// The group of the effects; `nil` for that of the action being processed.
  var group: EffectGroup?
  /// The action that returned the effects; `nil` unless the store records origins.
  var origin: (any Sendable & AnyObject)?
  /// The effect that only waits for the effects to be started.
  var waiter: ActiveEffect?

  init(scope: EffectScope, sink: any EffectSink<Action>) {
    self.scope = scope
    self.sink = sink
  }

  /// A copy for the effects in an inner scope.
  func scoped(to scope: EffectScope) -> EffectContext {
    copy(scope: scope, sink: sink, dismissal: dismissal)
  }

  /// A copy for a child's effects; `dismissal` is the action that dismisses the child.
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
  /// The scope of the effect.
  let scope: EffectScope
  /// The effect that sent the action; `nil` for a `.send` effect, which does not run.
  let effect: ActiveEffect?
  /// Whether the effect's outermost scope was removed, so that the action is only reported as
  /// dropped.
  let isLate: Bool
  private let whenReduced: UnsafeContinuation<Void, Never>?

  /// Creates the delivery of a `.send` effect.
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

  /// Whether the effect was cancelled while the action was queued, so that the action is dropped.
  var isCancelled: Bool { effect?.isCancelled ?? false }

  /// Resumes the effect: the action has been reduced or dropped.
  func finish() { whenReduced?.resume() }
}
