/// Which children are at a place of the state.
@usableFromInline
enum PresentChildren: Equatable, Sendable {
  case one(ScopeElement?)
  /// Those of a collection, with the number of the last addition to it or removal from it.
  case many(removal: Int)
  /// Those of a stack, with the numbers of the last removal from it and of the push of its top
  /// element.
  case stack(removal: Int, count: Int, top: Int?)

  /// The one child that there is.
  var element: ScopeElement? { if case .one(let element) = self { element } else { nil } }
}

/// How an operator finds the children at one place of the state.
@usableFromInline
struct ChildPlace<State> {
  let place: ScopePlace
  /// Which children there are now.
  let present: (State) -> PresentChildren
  /// Whether none of the children that there were has left; `false` if that is not certain.
  let keepsAll: (State, PresentChildren) -> Bool
  /// Whether a child's reducer can't change which children there are.
  let isFixedWithinChild: Bool
  /// A predicate for the children that there are now.
  let contains: (State) -> @Sendable (ScopeElement) -> Bool

  /// The place of one child, which may be absent.
  @usableFromInline
  init(_ place: ScopePlace, one present: @escaping (State) -> PresentChildren) {
    self.place = place
    self.present = present
    keepsAll = { present($0) == $1 }
    isFixedWithinChild = false
    contains = { state in
      let now = present(state)
      return { .one($0) == now }
    }
  }

  /// The place of a collection, with the path to the number that changes with its elements: reading
  /// that copies no collection.
  @usableFromInline
  init(
    _ place: ScopePlace, removal: KeyPath<State, Int>,
    contains: @escaping (State) -> @Sendable (ScopeElement) -> Bool
  ) {
    self.place = place
    present = { .many(removal: $0[keyPath: removal]) }
    keepsAll = { .many(removal: $0[keyPath: removal]) == $1 }
    isFixedWithinChild = false
    self.contains = contains
  }

  /// The place of a stack.
  ///
  /// The last removal is not enough here: a copy made before elements were pushed has the same one.
  @usableFromInline
  init<Element>(
    _ place: ScopePlace, stack: KeyPath<State, StackState<Element>>,
    contains: @escaping (State) -> @Sendable (ScopeElement) -> Bool
  ) {
    self.place = place
    // Read separately, which copies no stack.
    let (removal, pushes) = (stack.appending(path: \.removal), stack.appending(path: \.pushes))
    present = { state in
      let pushes = state[keyPath: pushes]
      return .stack(removal: state[keyPath: removal], count: pushes.count, top: pushes.last)
    }
    keepsAll = { state, before in
      guard case .stack(state[keyPath: removal], let count, let top) = before else { return false }
      // Without a removal, the elements below a push are those that it was made onto.
      let pushes = state[keyPath: pushes]
      return count <= pushes.count && (count == 0 || pushes[count - 1] == top)
    }
    isFixedWithinChild = true
    self.contains = contains
  }
}

extension Assembly {
  /// An operator for children: the steps that all of them have in common, in this order.
  ///
  /// 1. The effects of children that have left since the last action are cancelled.
  /// 2. `child` runs the child's reducer on its state, and reports a child that is not there.
  /// 3. This reducer runs.
  /// 4. `finish` dismisses or removes the child if the action asks for it.
  /// 5. The effects of a child that left in steps 2 to 4 are cancelled.
  ///
  /// - Parameters:
  ///   - children: where the children are.
  ///   - isChilds: whether an action is for the children; steps 2 and 4 are for such actions.
  ///   - child: gets the children that there are, and returns the child's effect, and the number
  ///     of the assignment of a child that is to be dismissed, for `finish`.
  ///   - finish: `nil` if the children leave only with what the reducers do.
  /// - Returns: the operator.
  @usableFromInline
  func running(
    _ children: ChildPlace<State>, _ isChilds: @escaping (Action) -> Bool,
    child: @escaping (inout State, Action, PresentChildren) -> (Effect<Action>, leaving: Int?),
    finish: ((inout State, Action, _ leaving: Int?) -> Void)? = nil
  ) -> CombineReducers<State, Action> {
    let parent = part
    return wrapped(claiming: isChilds) { state, action in
      let cursor = ReducerThread.current.cursor
      let isChilds = isChilds(action)
      guard cursor != nil || isChilds else { return parent(&state, action) }
      // Most actions have no effect, and then nobody needs to know which children there were.
      let isAskedLater = cursor == nil && children.isFixedWithinChild
      var before = isAskedLater ? .one(nil) : children.present(state)
      if let cursor, cursor.endEffects(in: state, children, before) { return .none }
      guard isChilds, cursor?.originHasEnded != true else {
        let effect = parent(&state, action)
        return effect.endingEffects(children, before, in: state)
      }
      var (effect, leaving) = child(&state, action, before)
      let hasEffects = cursor != nil || !effect.isNone
      if hasEffects, isAskedLater { before = children.present(state) }
      effect = effect.merged(with: parent(&state, action))
      finish?(&state, action, leaving)
      return hasEffects ? effect.endingEffects(children, before, in: state) : effect
    }
  }
}

extension Effect {
  /// This effect, merged with one that cancels the effects of the children that have left.
  fileprivate func endingEffects<State>(
    _ children: ChildPlace<State>, _ before: PresentChildren, in state: State
  ) -> Effect {
    guard before != .one(nil), !children.keepsAll(state, before) else { return self }
    return merge(with: Self(.endScopes(at: children.place, unless: children.contains(state))))
  }
}
