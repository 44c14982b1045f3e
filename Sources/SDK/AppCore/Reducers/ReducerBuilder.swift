/// Collects the reducers of a body into one flat list, so that the type stays small however many
/// there are.
@resultBuilder
public enum ReducerBuilder<State, Action: Sendable> {
  public static func buildExpression<R: Reducer<State, Action>>(
    _ reducer: R
  ) -> CombineReducers<State, Action> {
    CombineReducers(assembly: reducer.assemble())
  }

  public static func buildBlock(
    _ parts: CombineReducers<State, Action>...
  ) -> CombineReducers<State, Action> {
    CombineReducers(parts: parts)
  }

  public static func buildArray(
    _ parts: [CombineReducers<State, Action>]
  ) -> CombineReducers<State, Action> {
    CombineReducers(parts: parts)
  }

  public static func buildOptional(
    _ part: CombineReducers<State, Action>?
  ) -> CombineReducers<State, Action> {
    part ?? CombineReducers(parts: [])
  }

  public static func buildEither(
    first part: CombineReducers<State, Action>
  ) -> CombineReducers<State, Action> { part }

  public static func buildEither(
    second part: CombineReducers<State, Action>
  ) -> CombineReducers<State, Action> { part }
}

/// Several reducers over one state, run in order on every action; their effects are merged.
public struct CombineReducers<State, Action: Sendable>: Reducer {
  private let assembly: Assembly<State, Action>

  /// Combines what `build` lists.
  public init(@ReducerBuilder<State, Action> _ build: () -> CombineReducers<State, Action>) {
    self = build()
  }

  init(assembly: Assembly<State, Action>) { self.assembly = assembly }

  init(parts: [CombineReducers<State, Action>]) {
    assembly = Assembly(steps: parts.flatMap(\.assembly.steps))
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    assembly.run(&state, action)
  }

  public func assemble() -> Assembly<State, Action> { assembly }
}

/// A reducer that does nothing.
public struct EmptyReducer<State, Action: Sendable>: Reducer {
  /// Creates it.
  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

/// A reducer made of a closure.
public struct Reduce<State, Action: Sendable>: Reducer {
  private let closure: (inout State, Action) -> Effect<Action>

  /// Creates a reducer that runs `reduce`.
  public init(_ reduce: @escaping (inout State, Action) -> Effect<Action>) { closure = reduce }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    closure(&state, action)
  }
}
