extension Reducer {
  /// Runs an element's reducer for each element of an identified collection.
  ///
  /// The element's reducer runs before this one. The element's effects end when it leaves the
  /// collection.
  ///
  /// ```swift
  /// struct Row: Reducer {
  ///   struct State: Identifiable, Sendable { let id: Int; var isDone = false }
  ///   enum Action: ComponentAction { case toggled }
  ///   func reduce(into state: inout State, action: Action) -> Effect<Action> {
  ///     state.isDone.toggle()
  ///     return .none
  ///   }
  /// }
  ///
  /// struct Todos: Reducer {
  ///   struct State { var rows: IdentifiedArray<Row.State> = [] }
  ///   enum Action: ComponentAction {
  ///     case addTapped
  ///     case rows(IdentifiedAction<Int, Row.Action>)
  ///   }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce { state, action in
  ///       if case .addTapped = action { state.rows.append(Row.State(id: state.rows.count)) }
  ///       return .none
  ///     }
  ///     .forEach(\.rows, action: /Action.rows) { Row() }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - state: the elements.
  ///   - action: the case with the elements' actions, by identifier.
  ///   - element: the reducers of one element.
  ///   - fileID: the call site of the operator.
  ///   - line: the call site of the operator.
  /// - Returns: the combined reducer.
  /// - Complexity: O(1) in the number of elements, unless elements are added or removed.
  public func forEach<Element: Identifiable, ElementAction>(
    _ state: WritableKeyPath<State, IdentifiedArray<Element>>,
    action: CasePath<Action, IdentifiedAction<Element.ID, ElementAction>>,
    @ReducerBuilder<Element, ElementAction> element:
      @escaping () -> CombineReducers<Element, ElementAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> where Element.ID: Sendable {
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
      if case .element(let id, let elementAction)? = action.extract(rootAction),
        !child.isDelegate(elementAction), cursor?.originHasEnded != true
      {
        guard site.hasStack else { return .none }
        let scope = ScopeID(place, .identified(AnySendableHashable(id)))
        let elementEffect = cursor.descend(to: place, scope.element) {
          part.update(&root) { $0.update(id) { child.reduce(&$0, elementAction) } }
        }
        if let elementEffect {
          let embed = action.embed
          effect =
            elementEffect
            .embedded(dismissal: nil) { embed(.element(id: id, action: $0)) }
            .scoped(scope)
        } else {
          site.report(
            "an action came for an element that is not there", action: rootAction,
            causes: [
              "the parent removed the element before this action came",
              "an effect of the element still ran: start it in the element's reducer, so that "
                + "it ends with it",
            ])
        }
      }
      let hasEffects = cursor != nil || !effect.isNone
      effect = effect.merged(with: parent(&root, rootAction))
      return part.update(&root) { elements in
        elements.edition == before || !hasEffects
          ? effect : effect.endingEffects(at: place, unless: elements.presence())
      }
    }
  }
}

extension IdentifiedArray where Element.ID: Sendable {
  /// A predicate for the elements whose effects are kept: those in the collection.
  fileprivate func presence() -> @Sendable (ScopeElement) -> Bool {
    let index = index
    return { element in
      guard case .identified(let id) = element else { return false }
      return (id.base.base as? Element.ID).map { index.position(of: $0) != nil } ?? false
    }
  }
}
