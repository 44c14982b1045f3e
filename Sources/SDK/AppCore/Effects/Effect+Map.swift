extension Effect {
  /// The same effect, its actions turned into those of a parent.
  ///
  /// - Complexity: O(n) in the number of operations the effect is made of, most often one.
  package func map<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    Effect<Parent>(operation?.map(transform))
  }
}

extension EffectOperation {
  fileprivate func map<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> EffectOperation<Parent> {
    switch self {
    case .send(let action): .send(transform(action))
    case .run(let run):
      .run(
        EffectRun<Parent>(priority: run.priority) { channel in
          await run.body(EffectChannel { await channel.deliver(transform($0)) })
        })
    case .merge(let operations): .merge(operations.map { $0.map(transform) })
    case .concatenate(let operations): .concatenate(operations.map { $0.map(transform) })
    case .cancellable(let operation, let id, let cancelInFlight):
      .cancellable(operation.map(transform), id: id, cancelInFlight: cancelInFlight)
    case .cancel(let id): .cancel(id)
    case .scoped(let operation, let id): .scoped(operation.map(transform), id)
    case .endScope(let id): .endScope(id)
    case .dismissing(let operation, let action):
      .dismissing(operation.map(transform), transform(action))
    case .updating(let operation, let update): .updating(operation.map(transform), update)
    case .throttled(let operation, let id, let interval, let latest):
      .throttled(operation.map(transform), id: id, interval: interval, latest: latest)
    }
  }
}
