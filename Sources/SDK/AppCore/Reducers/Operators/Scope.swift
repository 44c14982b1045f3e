/// Runs a child reducer on a part of the state, for the actions of one case.
///
/// A delegate action of the child goes to the parent alone; the child's reducer never sees it. The
/// ids of the child's effects are its own: a sibling of the same kind doesn't cancel them.
///
/// ```swift
/// struct Counter: Reducer {
///   enum Action: ComponentAction { case add }
///   func reduce(into count: inout Int, action: Action) -> Effect<Action> {
///     count += 1
///     return .none
///   }
/// }
///
/// struct TwoCounters: Reducer {
///   struct State { var left = 0, right = 0 }
///   enum Action: ComponentAction { case left(Counter.Action), right(Counter.Action) }
///
///   var body: some ReducerOf<Self> {
///     Scope(state: \.left, action: /Action.left) { Counter() }
///     Scope(state: \.right, action: /Action.right) { Counter() }
///   }
/// }
/// ```
@frozen
public struct Scope<State, Action: Sendable>: AssembledReducer {
  @usableFromInline let assembly: Assembly<State, Action>

  /// Runs the reducers in `child` on `state[keyPath: state]`.
  @inlinable
  public init<ChildState, ChildAction>(
    state: WritableKeyPath<State, ChildState>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child:
      @escaping () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let site = OperatorSite(name: "Scope", fileID: fileID, line: line)
    let child = ChildReducer(at: ScopePlace(state), site, child)
    assembly = Assembly(filter: action.filter) { parent, parentAction in
      guard let childAction = action.extract(parentAction) else { return .none }
      return child.reduceOnly(&parent[keyPath: state], childAction, action)
    }
  }

  /// Runs the reducers in `child` while the state is in one case of an enum.
  ///
  /// It doesn't notice when another reducer leaves the case, and so doesn't end the child's effects
  /// then. ``Reducer/ifCaseLet(_:action:child:fileID:line:)`` around those reducers does.
  public init<ChildState, ChildAction>(
    state: CasePath<State, ChildState>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child:
      @escaping () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let combined = EmptyReducer<State, Action>()
      .ifCaseLet(state, action: action, child: child, fileID: fileID, line: line)
    assembly = Assembly(filter: action.filter, combined.assembly.part)
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    assembly.part(&state, action)
  }
}
