extension Reducer {
  /// Runs further reducers when a part of the state has changed in answer to an action.
  ///
  /// - Parameters:
  ///   - value: the part.
  ///   - change: makes the reducers for an old and a new value.
  /// - Returns: both reducers.
  public func onChange<Value: Equatable>(
    of value: @escaping (State) -> Value,
    @ReducerBuilder<State, Action> _ change:
      @escaping (_ old: Value, _ new: Value) -> CombineReducers<State, Action>
  ) -> CombineReducers<State, Action> {
    let run = assemble().run
    return CombineReducers(
      assembly: Assembly { state, action in
        let old = value(state)
        let effect = run(&state, action)
        let new = value(state)
        guard old != new else { return effect }
        return effect.merge(with: change(old, new).reduce(into: &state, action: action))
      })
  }

  /// Runs this reducer and its effects with some dependencies replaced.
  ///
  /// - Parameters:
  ///   - keyPath: the dependency.
  ///   - value: what stands in its place.
  /// - Returns: the reducer with the dependency replaced.
  public func dependency<Value: Sendable>(
    _ keyPath: any WritableKeyPath<DependencyValues, Value> & Sendable, _ value: Value
  ) -> CombineReducers<State, Action> {
    transformDependencies { $0[keyPath: keyPath] = value }
  }

  /// Runs this reducer and its effects with its dependencies changed.
  public func transformDependencies(
    _ update: @escaping @Sendable (inout DependencyValues) -> Void
  ) -> CombineReducers<State, Action> {
    let run = assemble().run
    return CombineReducers(
      assembly: Assembly { state, action in
        let effect = withDependencies(update) { run(&state, action) }
        return effect.operation.map { Effect(.updating($0, update)) } ?? .none
      })
  }
}

/// A reducer that contains itself, for a state that contains states of its own kind.
///
/// ```swift
/// Recurse { itself in
///   Reduce { … }.forEach(\.children, action: /Action.children) { itself }
/// }
/// ```
public struct Recurse<State, Action: Sendable>: Reducer {
  private final class Loop {
    var run: Assembly<State, Action>.Step?
  }
  private let loop = Loop()

  /// Creates a reducer; `build` is given the reducer itself, and is called once.
  public init(
    @ReducerBuilder<State, Action> _ build: (Reduce<State, Action>) -> CombineReducers<
      State, Action
    >
  ) {
    // Weak: the loop holds the steps, and the steps must not hold the loop.
    let itself = Reduce<State, Action> { [weak loop] state, action in
      loop?.run?(&state, action) ?? .none
    }
    loop.run = build(itself).assemble().run
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    loop.run?(&state, action) ?? .none
  }
}
