/// The circumstances of effects that are started, and of the actions that they send.
struct EffectContext: Sendable {
  /// The group of the action that brought the effects about.
  var group: EffectGroup
  /// The scope of the reducer that returned the effects.
  var scope: EffectScope
  /// The ids that cancel the effects, each with the scope of the reducer that made them cancellable.
  var keys: [(scope: EffectScope, id: AnySendableHashable)] = []
  /// The action that returned the effects; `nil` unless the store's actions are observed.
  var origin: (any Sendable & AnyObject)?
  /// Sends the action that dismisses the child that the effects belong to; `nil` if no child is
  /// presented.
  var dismissal: (@Sendable (EffectContext) -> Void)?
  /// The effect that starts the effects and waits for them, or that sends the action.
  ///
  /// `nil` for a `.send` effect, which does not run.
  var effect: ActiveEffect?
  /// Continues the effect that sends an action and waits until that is reduced.
  ///
  /// A closure: a continuation, whose layout its library may change, would make each copy of these
  /// circumstances look types up.
  var whenReduced: (@Sendable () -> Void)?

  init(group: EffectGroup, scope: EffectScope, origin: (any Sendable & AnyObject)? = nil) {
    self.group = group
    self.scope = scope
    self.origin = origin
  }

  /// Continues the effect: its action has been reduced or dropped.
  func finish() { whenReduced?() }
}

/// Receives the actions of effects; called on the store's actor only.
typealias EffectSink<Action> = @Sendable (Action, EffectContext) -> Void
