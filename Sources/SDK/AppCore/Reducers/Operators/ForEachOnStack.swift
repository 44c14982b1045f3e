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
  /// - Complexity: O(1); popping is O(*k*), where *k* is the number of popped elements.
  public func forEach<Element, ElementAction>(
    _ state: WritableKeyPath<State, StackState<Element>>,
    action: CasePath<Action, StackAction<Element, ElementAction>>,
    @ReducerBuilder<Element, ElementAction> element:
      @escaping () -> CombineReducers<Element, ElementAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let place = ScopePlace(state)
    let site = OperatorSite(name: "forEach", fileID: fileID, line: line)
    let child = ChildReducer(at: place, site, element)
    let children = ChildPlace<State>(place) {
      $0[keyPath: state].edition
    } contains: { root in
      let places = root[keyPath: state].places
      return { element in
        guard case .onStack(let id, let edition) = element else { return false }
        return places[id]?.edition == edition
      }
    }
    return running(children, action.is) { root, rootAction, _ in
      switch action.extract(rootAction) {
      case nil: break
      case .element(let id, let elementAction)?:
        guard !child.isDelegate(elementAction) else { break }
        guard let edition = root[keyPath: state].places[id]?.edition else {
          site.report(
            "an action came for an element that is not on the stack", action: rootAction,
            causes: [
              "the element was popped before this action came",
              "an effect of the element still ran: start it in the element's reducer, so that it "
                + "ends with it",
            ])
          break
        }
        let element = ScopeElement.onStack(id, edition: edition)
        let effect = root[keyPath: state].update(id) {
          child.reduce(&$0, elementAction, in: element)
        }
        let embedded = effect?.embedded(
          in: ScopeID(place, element), dismissal: action.embed(.popFrom(id: id))
        ) { action.embed(.element(id: id, action: $0)) }
        return (embedded ?? .none, nil)
      case .popFrom(let id)?:
        guard !root[keyPath: state].contains(id) else { break }
        site.report(
          "an element was to be popped that is not on the stack", action: rootAction,
          causes: ["the element was popped before this action came"])
      case .push(let id, _)?:
        let cause = "take the id of a new element from the stack's 'nextID'"
        if root[keyPath: state].contains(id) {
          site.report(
            "an element was to be pushed whose id is on the stack already", action: rootAction,
            causes: [cause])
        } else if id.generation > root[keyPath: state].next {
          site.report(
            "an element was to be pushed with an id that the stack has not given out",
            action: rootAction, causes: [cause])
        }
      }
      return (.none, nil)
    } finish: { root, rootAction, _ in
      switch action.extract(rootAction) {
      case .popFrom(let id)?: root[keyPath: state].pop(from: id)
      case .push(let id, let element)?:
        guard id.generation <= root[keyPath: state].next else { break }
        root[keyPath: state].insert(element, id: id)
      case .element?, nil: break
      }
    }
  }
}
