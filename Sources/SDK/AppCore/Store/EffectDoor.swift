/// Leads an effect back to its store's runner; every use is on the store's actor.
///
/// Its functions are nonsending: on the actor already, as effects are, they go on without a hop.
final class EffectDoor<Action: Sendable>: @unchecked Sendable {
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
    let waits = await enter(isolation) { self.runner?.deliver(action, from: token) ?? false }
    // An effect that never waits would keep the store, or a buffer that only grows, to itself.
    if waits { await Task.yield() }
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
    _ key: EffectKey, until next: Duration, _ context: EffectRunner<Action>.Context,
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
