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
    let part = StatePart(state)
    let scopes = ChildScopes(state)
    return inner.wrapped(claiming: action) { root, rootAction in
      var effect = Effect<Action>.none
      if case .element(let id, let elementAction)? = action.extract(rootAction),
        !boundary.isDelegate(elementAction)
      {
        guard site.hasStack(for: Element.self) else { return .none }
        let elementEffect = part.update(&root) { $0.update(id) { run(&$0, elementAction) } }
        if let elementEffect {
          if elementEffect.operation != nil {
            let embed = action.embed
            effect = elementEffect.map { embed(.element(id: id, action: $0)) }
              .scoped(scopes.scope(identified: id))
          }
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
      let before = part.read(&root) { $0.identity }
      let parentEffect = parent(&root, rootAction)
      if parentEffect.operation != nil { effect = effect.merge(with: parentEffect) }
      let gone = part.read(&root) { before.removed(in: $0) }
      return gone.isEmpty ? effect : effect.ending(gone.map { scopes.scope(identified: $0) })
    }
  }
}

extension Effect {
  /// This effect, then the end of everything that was started inside `scopes`.
  ///
  /// - Complexity: O(n) in the scopes.
  @usableFromInline
  func ending(_ scopes: [EffectID]) -> Self {
    guard scopes.count > 1 else {
      guard let scope = scopes.first else { return self }
      return isNone ? Effect(.endScope(scope)) : merge(with: Effect(.endScope(scope)))
    }
    let ends = scopes.map { EffectOperation<Action>.endScope($0) }
    return Effect(.merge(operation.map { [$0] + ends } ?? ends))
  }
}
