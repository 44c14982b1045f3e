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
  /// - Complexity: O(1) in the number of elements, unless elements are added or removed.
  public func forEach<Element: Identifiable, ElementAction>(
    _ state: WritableKeyPath<State, IdentifiedArray<Element>>,
    action: CasePath<Action, IdentifiedAction<Element.ID, ElementAction>>,
    @ReducerBuilder<Element, ElementAction> element:
      @escaping () -> CombineReducers<Element, ElementAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> where Element.ID: Sendable {
    let place = ScopePlace(state)
    let site = OperatorSite(name: "forEach", fileID: fileID, line: line)
    let child = ChildReducer(at: place, site, element)
    let removal = state.appending(path: \.removal)
    let children = ChildPlace<State>(place, removal: removal) { root in
      let positions = root[keyPath: state].positions
      return { element in
        guard case .identified(let id) = element else { return false }
        return (id.base.base as? Element.ID).map { positions[$0] != nil } ?? false
      }
    }
    return assemble().running(children, action.is) { root, rootAction, _ in
      guard case .element(let id, let elementAction)? = action.extract(rootAction),
        !child.isDelegate(elementAction)
      else { return (.none, nil) }
      let element = ScopeElement.identified(AnySendableHashable(id))
      let effect = root[keyPath: state].update(id) {
        child.reduce(&$0, elementAction, in: element)
      }
      guard let effect else {
        site.report(
          "an action came for an element that is not there", action: rootAction,
          causes: [
            "the parent removed the element before this action came", OperatorSite.elementStillRan,
          ])
        return (.none, nil)
      }
      let embedded = effect.embedded(in: ScopeID(place, element)) {
        action.embed(.element(id: id, action: $0))
      }
      return (embedded, nil)
    }
  }
}
