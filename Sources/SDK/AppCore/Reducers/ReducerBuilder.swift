/// Collects the reducers of a body into one flat list, so that the type stays small however many
/// there are.
@frozen
@resultBuilder
public enum ReducerBuilder<State, Action: Sendable> {
  @inlinable
  public static func buildExpression<R: Reducer<State, Action>>(
    _ reducer: R
  ) -> CombineReducers<State, Action> {
    CombineReducers(assembly: reducer.assemble())
  }

  /// A reducer whose type is known only at run time.
  public static func buildExpression(
    _ reducer: any Reducer<State, Action>
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
///
/// ```swift
/// enum Action: ComponentAction { case added, removed }
///
/// let both = CombineReducers<Int, Action> {
///   Reduce { count, action in
///     if case .added = action { count += 1 }
///     return .none
///   }
///   Reduce { count, action in
///     if case .removed = action { count -= 1 }
///     return .none
///   }
/// }
/// .printChanges("Both")
/// ```
@frozen
public struct CombineReducers<State, Action: Sendable>: AssembledReducer {
  @usableFromInline let assembly: Assembly<State, Action>

  /// Combines what `build` lists.
  public init(@ReducerBuilder<State, Action> _ build: () -> CombineReducers<State, Action>) {
    self = build()
  }

  @usableFromInline init(assembly: Assembly<State, Action>) { self.assembly = assembly }

  init(parts: [CombineReducers<State, Action>]) {
    assembly = Assembly(joining: parts.map(\.assembly))
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    assembly.whole(&state, action)
  }
}

/// A reducer that does nothing.
///
/// Use it as the base of operators when there is no other reducer.
///
/// ```swift
/// struct Item: Identifiable, Sendable { let id: Int }
/// enum ItemAction: ComponentAction { case tapped }
/// struct Shelf {
///   struct State { var items: IdentifiedArray<Item> = [] }
///   enum Action: ComponentAction { case items(IdentifiedAction<Int, ItemAction>) }
///
///   var reducer: some Reducer<State, Action> {
///     EmptyReducer<State, Action>()
///       .forEach(\.items, action: /Action.items) { EmptyReducer<Item, ItemAction>() }
///   }
/// }
/// ```
@frozen
public struct EmptyReducer<State, Action: Sendable>: Reducer {
  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

/// A reducer from a closure.
///
/// ```swift
/// struct Counter: Reducer {
///   enum Action: ComponentAction { case addTapped }
///
///   var body: some Reducer<Int, Action> {
///     Reduce { count, action in
///       switch action {
///       case .addTapped: count += 1
///       }
///       return .none
///     }
///   }
/// }
/// ```
@frozen
public struct Reduce<State, Action: Sendable>: AssembledReducer {
  @usableFromInline let assembly: Assembly<State, Action>

  /// Creates a reducer that runs `reduce`.
  public init(_ reduce: @escaping (inout State, Action) -> Effect<Action>) {
    assembly = Assembly(reduce)
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    assembly.part(&state, action)
  }
}
