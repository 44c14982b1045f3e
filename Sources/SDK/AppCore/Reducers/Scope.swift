/// Runs a child reducer on a part of the state, for the actions of one case.
///
/// A delegate action of the child goes to the parent alone: the child never sees its own. The ids of
/// the child's effects are its own too: a sibling of the same kind doesn't cancel them.
public struct Scope<State, Action: Sendable>: Reducer {
  private let step: Assembly<State, Action>.Step

  /// Runs the reducers in `child` on `state[keyPath: state]`.
  ///
  /// - Parameters:
  ///   - state: the child's part of the state.
  ///   - action: the case with the child's actions, as in `/Action.child`.
  ///   - child: the child's reducers.
  public init<ChildState, ChildAction>(
    state: WritableKeyPath<State, ChildState>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> CombineReducers<ChildState, ChildAction>
  ) {
    let run = child().assemble().run
    let boundary = ActionBoundary<ChildAction>()
    let scope = EffectID(ChildScope(path: state.hashed, element: nil))
    step = { parent, parentAction in
      guard let childAction = action.extract(parentAction), !boundary.isDelegate(childAction)
      else { return .none }
      return run(&parent[keyPath: state], childAction).embedded(action, in: scope)
    }
  }

  init(step: @escaping Assembly<State, Action>.Step) { self.step = step }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    step(&state, action)
  }
}
