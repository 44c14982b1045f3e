/// Names running effects: an id within a scope, or a scope as a whole.
struct EffectKey: Hashable, Sendable {
  let scope: EffectID?
  let id: EffectID?
}

extension EffectRunner {
  /// The scope and the keys that what is started next belongs to.
  struct Context: Sendable {
    var scope: EffectID?
    var keys = ScopeKeys<EffectKey>()
    /// What is sent when an effect dismisses the child it belongs to.
    var dismissal: (@Sendable () -> Action)?
    /// How the dependencies differ, the outermost change first.
    var updates: [@Sendable (inout DependencyValues) -> Void] = []
    /// Those who are waited for together; `nil` for the ones of the action that is answered now.
    var group: EffectGroup?
    /// The action that is answered; known only where somebody asks.
    var origin: EffectOrigin<Action>?
    /// The effect that does nothing but wait for what is started next.
    var waiter: EffectActivity?
  }

  /// One effect that runs.
  final class Token: @unchecked Sendable {
    // Unchecked: touched on the store's actor only.
    let keys: ScopeKeys<EffectKey>
    let group: EffectGroup
    let origin: EffectOrigin<Action>?
    /// Its part in the account of those that are at work.
    let activity: EffectActivity?
    /// What the store's dependencies were; set where the effect has others of its own.
    var surroundings: DependencyValues?
    var task: Task<Void, Never>?
    var isCancelled = false
    /// Whether it was cancelled because what it belonged to in the whole store is gone or replaced.
    var isLate = false
    var hasEnded = false
    /// How many actions it has sent since others had their turn.
    var sentCount = 0

    init(_ context: Context, _ group: EffectGroup) {
      keys = context.keys
      origin = context.origin
      activity = context.waiter
      self.group = group
    }
  }
}
