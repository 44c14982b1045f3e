/// Runs a child reducer on a part of the state, for the actions of one case.
///
/// A delegate action of the child goes to the parent alone: the child never sees its own. The ids of
/// the child's effects are its own too: a sibling of the same kind doesn't cancel them.
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
public struct Scope<State, Action: Sendable>: Reducer {
  @usableFromInline let part: Assembly<State, Action>.Part

  /// Runs the reducers in `child` on `state[keyPath: state]`.
  ///
  /// - Parameters:
  ///   - state: the child's part of the state.
  ///   - action: the case with the child's actions, as in `/Action.child`.
  ///   - child: the child's reducers.
  @inlinable
  public init<ChildState, ChildAction>(
    state: WritableKeyPath<State, ChildState>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> CombineReducers<ChildState, ChildAction>
  ) {
    let run = child().assemble().run
    let boundary = ActionBoundary<ChildAction>()
    let scope = ChildScopes(state).only
    let place = StatePart(state)
    let step = Assembly<State, Action>.Step(raw: { parent, parentAction, effect in
      let childEffect = action.borrow(at: parentAction) { childAction -> Effect<ChildAction> in
        if boundary.isDelegate(at: childAction) { return .none }
        return place.update(at: parent) { run(at: $0, childAction) }
      }
      guard let childEffect, !childEffect.isNone else {
        effect.initializeMemory(as: Effect<Action>.self, to: .none)
        return
      }
      effect.initializeMemory(as: Effect<Action>.self, to: childEffect.embedded(action, in: scope))
    })
    part = Assembly.Part(step: step, filter: action.filter)
  }

  init(part: Assembly<State, Action>.Part) { self.part = part }

  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    part.step(&state, action)
  }

  @inlinable
  public func assemble() -> Assembly<State, Action> { Assembly(parts: [part]) }
}
