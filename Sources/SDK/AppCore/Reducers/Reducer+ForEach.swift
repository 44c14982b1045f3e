extension Reducer {
  /// Runs an element's reducer for each element of an identified collection.
  ///
  /// The element runs before this reducer. Its effects end when it leaves the collection.
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
  ///   - fileID: where the operator is written.
  ///   - line: where the operator is written.
  /// - Returns: both reducers.
  /// - Complexity: constant in the number of elements, unless elements come or go.
  public func forEach<Element: Identifiable, ElementAction>(
    _ state: WritableKeyPath<State, IdentifiedArray<Element>>,
    action: CasePath<Action, IdentifiedAction<Element.ID, ElementAction>>,
    @ReducerBuilder<Element, ElementAction> element:
      () -> CombineReducers<Element, ElementAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> where Element.ID: Sendable {
    let site = OperatorSite(name: "forEach", fileID: fileID, line: line)
    let run = element().assemble().run
    let inner = assemble()
    let parent = inner.part
    let boundary = ActionBoundary<ElementAction>()
    let path = state.hashed
    func scope(_ id: Element.ID) -> EffectID {
      EffectID(ChildScope(path: path, element: AnySendableHashable(id)))
    }
    return inner.wrapped(claiming: action) { root, rootAction in
      var effect = Effect<Action>.none
      if case .element(let id, let elementAction)? = action.extract(rootAction),
        !boundary.isDelegate(elementAction)
      {
        guard site.hasStack(for: Element.self) else { return .none }
        let elementEffect = root[keyPath: state].update(id) { run(&$0, elementAction) }
        if let elementEffect {
          let embed = action.embed
          effect = elementEffect.map { embed(.element(id: id, action: $0)) }.scoped(scope(id))
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
      let before = root[keyPath: state].identity
      let parentEffect = parent(&root, rootAction)
      if parentEffect.operation != nil { effect = effect.merge(with: parentEffect) }
      for id in before.removed(in: root[keyPath: state]) {
        effect = effect.merge(with: Effect(.endScope(scope(id))))
      }
      return effect
    }
  }

  /// Runs an element's reducer for each element of a stack.
  ///
  /// `popFrom` and `push` change the stack after this reducer has seen them.
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
  ///   - fileID: where the operator is written.
  ///   - line: where the operator is written.
  /// - Returns: both reducers.
  public func forEach<Element, ElementAction>(
    _ state: WritableKeyPath<State, StackState<Element>>,
    action: CasePath<Action, StackAction<Element, ElementAction>>,
    @ReducerBuilder<Element, ElementAction> element:
      () -> CombineReducers<Element, ElementAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let site = OperatorSite(name: "forEach", fileID: fileID, line: line)
    let run = element().assemble().run
    let inner = assemble()
    let parent = inner.part
    let boundary = ActionBoundary<ElementAction>()
    let path = state.hashed
    func scope(_ id: StackElementID) -> EffectID {
      EffectID(ChildScope(path: path, element: AnySendableHashable(id)))
    }
    return inner.wrapped(claiming: action) { root, rootAction in
      var effect = Effect<Action>.none
      let stackAction = action.extract(rootAction)
      let before = root[keyPath: state].identity
      switch stackAction {
      case .element(let id, let elementAction)? where !boundary.isDelegate(elementAction):
        guard site.hasStack(for: Element.self) else { return .none }
        let elementEffect = root[keyPath: state].update(id) { run(&$0, elementAction) }
        if let elementEffect {
          let embed = action.embed
          effect = elementEffect.map { embed(.element(id: id, action: $0)) }
            .dismissing(with: embed(.popFrom(id: id))).scoped(scope(id))
        } else {
          site.report(
            "an action came for an element that is not on the stack", action: rootAction,
            causes: [
              "the element was popped before this action came",
              "an effect of the element still ran: start it in the element's reducer, so that "
                + "it ends with it",
            ])
        }
      case .popFrom(let id)? where !root[keyPath: state].contains(id):
        site.report(
          "an element was to be popped that is not on the stack", action: rootAction,
          causes: ["the element was popped before this action came"])
      case .push(let id, _)? where root[keyPath: state].contains(id):
        site.report(
          "an element was to be pushed whose id is on the stack already", action: rootAction,
          causes: ["take the id of a new element from the stack's 'nextID'"])
      default: break
      }
      let parentEffect = parent(&root, rootAction)
      if parentEffect.operation != nil { effect = effect.merge(with: parentEffect) }
      switch stackAction {
      case .popFrom(let id)?: root[keyPath: state].pop(from: id)
      case .push(let id, let element)?: root[keyPath: state].insert(element, id: id)
      default: break
      }
      for id in before.removed(in: root[keyPath: state]) {
        effect = effect.merge(with: Effect(.endScope(scope(id))))
      }
      return effect
    }
  }
}
