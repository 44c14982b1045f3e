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
  @usableFromInline let part: ReducerPart

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
    let step: Assembly<State, Action>.Step
    if let offset = place.offset, let finder = action.finder {
      let child = ScopedChild(
        offset: offset, finder: finder, boundary: boundary.raw, child: run.raw,
        embed: { effect in
          let childEffect = effect.assumingMemoryBound(to: Effect<ChildAction>.self).move()
          effect.initializeMemory(
            as: Effect<Action>.self, to: childEffect.embedded(action, in: scope))
        })
      step = Assembly.Step(raw: RawStep(child))
    } else {
      step = Assembly.Step { parent, parentAction in
        guard let childAction = action.extract(parentAction), !boundary.isDelegate(childAction)
        else { return .none }
        return place.update(&parent) { run(&$0, childAction) }.embedded(action, in: scope)
      }
    }
    part = ReducerPart(step: step.raw, filter: action.filter)
  }

  init(part: ReducerPart) { self.part = part }

  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    Assembly.Step(raw: part.step)(&state, action)
  }

  @inlinable
  public func assemble() -> Assembly<State, Action> { Assembly(parts: [part]) }
}
