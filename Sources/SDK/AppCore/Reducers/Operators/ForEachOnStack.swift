extension Reducer {
  /// Runs an element's reducer for each element of a stack.
  ///
  /// `popFrom` and `push` change the stack after this reducer has handled them.
  ///
  /// ```swift
  /// struct Page: Reducer {
  ///   struct State: Sendable { var title: String }
  ///   enum Action: ComponentAction { case linkTapped(String), backTapped }
  ///   @Dependency(\.dismiss) var dismiss
  ///
  ///   func reduce(into state: inout State, action: Action) -> Effect<Action> {
  ///     guard case .backTapped = action else { return .none }
  ///     return .run { _ in await dismiss() }
  ///   }
  /// }
  ///
  /// struct Browser: Reducer {
  ///   struct State { var path: StackState<Page.State> = [] }
  ///   enum Action: ComponentAction { case path(StackAction<Page.State, Page.Action>) }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce { state, action in
  ///       if case .path(.element(_, .linkTapped(let title))) = action {
  ///         state.path.append(Page.State(title: title))
  ///       }
  ///       return .none
  ///     }
  ///     .forEach(\.path, action: /Action.path) { Page() }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - state: the stack.
  ///   - action: the case with the stack's actions.
  ///   - element: the reducers of one element.
  ///   - fileID: the call site of the operator.
  ///   - line: the call site of the operator.
  /// - Returns: the combined reducer.
  /// - Complexity: O(1); popping is O(*k*), where *k* is the number of popped elements.
  @inlinable
  public func forEach<Element, ElementAction>(
    _ state: WritableKeyPath<State, StackState<Element>>,
    action: CasePath<Action, StackAction<Element, ElementAction>>,
    @ReducerBuilder<Element, ElementAction> element:
      @escaping () -> CombineReducers<Element, ElementAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let site = OperatorSite(name: "forEach", fileID: fileID, line: line)
    let child = ChildReducer(element)
    let inner = assemble()
    let parent = inner.part
    let part = StatePart(state)
    let place = ScopePlace(state)
    return inner.wrapped(claiming: action) { root, rootAction in
      let cursor = EffectCursor.current
      if let cursor {
        let drops = part.update(&root) {
          cursor.endEffects(at: place, edition: $0.edition, unless: $0.presence())
        }
        if drops { return .none }
      }
      let before = part.update(&root) { $0.edition }

      var effect = Effect<Action>.none
      let stackAction = action.extract(rootAction)
      switch stackAction {
      case .element(let id, let elementAction)?
      where !child.isDelegate(elementAction) && cursor?.originHasEnded != true:
        guard site.hasStack else { return .none }
        if let edition = part.update(&root, { $0.places[id]?.edition }) {
          let scope = ScopeID(place, .onStack(id, edition: edition))
          let elementEffect = cursor.descend(to: place, scope.element) {
            part.update(&root) { $0.update(id) { child.reduce(&$0, elementAction) } }
          }
          let embed = action.embed
          if let elementEffect, !elementEffect.isNone {
            effect =
              elementEffect
              .embedded(dismissal: embed(.popFrom(id: id))) { embed(.element(id: id, action: $0)) }
              .scoped(scope)
          }
        } else {
          site.reportAbsentElement(action: rootAction)
        }
      case .popFrom(let id)? where !part.update(&root, { $0.contains(id) }):
        site.reportAbsentPop(action: rootAction)
      case .push(let id, _)? where part.update(&root, { $0.contains(id) }):
        site.reportSecondPush(action: rootAction)
      case .push(let id, _)? where part.update(&root, { id.generation > $0.nextID.generation }):
        site.reportUnknownPush(action: rootAction)
      default: break
      }
      let hasEffects = cursor != nil || !effect.isNone
      effect = effect.merged(with: parent(&root, rootAction))
      return part.update(&root) { stack in
        switch stackAction {
        case .popFrom(let id)?: stack.pop(from: id)
        case .push(let id, let element)? where id.generation <= stack.nextID.generation:
          stack.insert(element, id: id)
        default: break
        }
        return stack.edition == before || !hasEffects
          ? effect : effect.endingEffects(at: place, unless: stack.presence())
      }
    }
  }
}

extension StackState {
  /// A predicate for the elements whose effects are kept: those that are still on the stack.
  @usableFromInline
  func presence() -> @Sendable (ScopeElement) -> Bool {
    let places = places
    return { element in
      guard case .onStack(let id, let edition) = element else { return false }
      return places[id]?.edition == edition
    }
  }
}

extension OperatorSite {
  @usableFromInline
  func reportAbsentElement(action: Any) {
    report(
      "an action came for an element that is not on the stack", action: action,
      causes: [
        "the element was popped before this action came",
        "an effect of the element still ran: start it in the element's reducer, so that it ends "
          + "with it",
      ])
  }

  @usableFromInline
  func reportAbsentPop(action: Any) {
    report(
      "an element was to be popped that is not on the stack", action: action,
      causes: ["the element was popped before this action came"])
  }

  @usableFromInline
  func reportUnknownPush(action: Any) {
    report(
      "an element was to be pushed with an id that the stack has not given out", action: action,
      causes: ["take the id of a new element from the stack's 'nextID'"])
  }

  @usableFromInline
  func reportSecondPush(action: Any) {
    report(
      "an element was to be pushed whose id is on the stack already", action: action,
      causes: ["take the id of a new element from the stack's 'nextID'"])
  }
}
