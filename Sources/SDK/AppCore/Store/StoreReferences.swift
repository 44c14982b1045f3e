/// A reference to a store that does not retain it, for effects and for other isolation.
final class WeakStore<State, Action: Sendable>: @unchecked Sendable {
  // Unchecked: used on the store's actor only. Not weak: retaining an object that has weak
  // references takes a slow path, and a store is retained for each action.
  unowned var core: StoreCore<State, Action>?

  @Sendable
  func receive(_ action: Action, _ context: EffectContext) {
    guard let core else { return context.finish() }
    core.receive(action, context)
  }

  func send(_ action: Action, on actor: isolated any Actor) async -> StoreTask {
    core?.send(action) ?? StoreTask(group: nil)
  }
}

/// The only reference to what a store referred to, which is given up on the store's actor.
final class LastReference: @unchecked Sendable {
  // Unchecked: set before the task that uses it begins.
  private var object: AnyObject?

  init(_ object: consuming AnyObject?) { self.object = object }

  func release(on actor: isolated any Actor) { object = nil }
}
