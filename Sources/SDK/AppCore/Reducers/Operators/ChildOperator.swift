/// Which children are at a place of the state.
enum PresentChildren: Equatable {
  case one(ScopeElement?)
  /// Those of a collection, whose edition changes whenever one of them leaves.
  case many(edition: Int)
}

/// How an operator finds the children at one place of the state.
struct ChildPlace<State> {
  let place: ScopePlace
  /// Which children there are now.
  let present: (State) -> PresentChildren
  /// A predicate for the children that there are now.
  let contains: (State) -> @Sendable (ScopeElement) -> Bool

  /// The place of one child, which may be absent.
  init(_ place: ScopePlace, element: @escaping (State) -> ScopeElement?) {
    self.place = place
    present = { .one(element($0)) }
    contains = { state in
      let now = element(state)
      return { $0 == now }
    }
  }

  /// The place of a collection.
  init(
    _ place: ScopePlace, edition: @escaping (State) -> Int,
    contains: @escaping (State) -> @Sendable (ScopeElement) -> Bool
  ) {
    self.place = place
    present = { .many(edition: edition($0)) }
    self.contains = contains
  }
}

extension Reducer {
  /// An operator for children: the steps that all of them have in common, in this order.
  ///
  /// 1. The effects of children that have left since the last action are cancelled.
  /// 2. `child` runs the child's reducer on its state, and reports a child that is not there.
  /// 3. This reducer runs.
  /// 4. `finish` dismisses or removes the child if the action asks for it.
  /// 5. The effects of a child that left in steps 2 to 4 are cancelled.
  ///
  /// `child` returns the child's effect, and what `finish` has to know.
  func running<Child, Leaving>(
    _ children: ChildPlace<State>, _ path: CasePath<Action, Child>,
    child: @escaping (inout State, Child, Action) -> (Effect<Action>, Leaving),
    finish: @escaping (inout State, Child, Leaving) -> Void
  ) -> CombineReducers<State, Action> {
    let inner = assemble()
    let parent = inner.part
    return inner.wrapped(claiming: path) { state, action in
      let cursor = ReducerThread.current.cursor
      let childAction = path.extract(action)
      guard cursor != nil || childAction != nil else { return parent(&state, action) }
      let before = children.present(state)
      if let cursor, cursor.endEffects(in: state, children, before) { return .none }
      guard let childAction, cursor?.originHasEnded != true else {
        let effect = parent(&state, action)
        return effect.endingEffects(children, before, in: state)
      }
      var (effect, leaving) = child(&state, childAction, action)
      let hasEffects = cursor != nil || !effect.isNone
      effect = effect.merged(with: parent(&state, action))
      finish(&state, childAction, leaving)
      return hasEffects ? effect.endingEffects(children, before, in: state) : effect
    }
  }

  /// An operator whose children leave only with what this reducer does.
  func running<Child>(
    _ children: ChildPlace<State>, _ path: CasePath<Action, Child>,
    child: @escaping (inout State, Child, Action) -> Effect<Action>
  ) -> CombineReducers<State, Action> {
    running(children, path, child: { (child(&$0, $1, $2), ()) }, finish: { _, _, _ in })
  }
}

extension Effect {
  /// This effect, merged with one that cancels the effects of the children that have left.
  fileprivate func endingEffects<State>(
    _ children: ChildPlace<State>, _ before: PresentChildren, in state: State
  ) -> Effect {
    guard before != .one(nil), children.present(state) != before else { return self }
    return merge(with: Self(.endScopes(at: children.place, unless: children.contains(state))))
  }
}
