extension Reducer {
  /// Runs a child reducer while the state is in one case of an enum.
  ///
  /// The child runs before this reducer. Its effects end when the state leaves the case. Two operators
  /// that one line makes for children of the same type are told apart if one is applied to what the
  /// other returns; side by side, they would end each other's effects.
  ///
  /// ```swift
  /// struct LogIn: Reducer {
  ///   enum Action: ComponentAction { case nameTyped(String), succeeded }
  ///   func reduce(into name: inout String, action: Action) -> Effect<Action> {
  ///     if case .nameTyped(let new) = action { name = new }
  ///     return .none
  ///   }
  /// }
  ///
  /// struct App: Reducer {
  ///   enum State { case loggedOut(String), loggedIn }
  ///   enum Action: ComponentAction { case logIn(LogIn.Action) }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce { state, action in
  ///       if case .logIn(.succeeded) = action { state = .loggedIn }
  ///       return .none
  ///     }
  ///     .ifCaseLet(/State.loggedOut, action: /Action.logIn) { LogIn() }
  ///   }
  /// }
  /// ```
  public func ifCaseLet<ChildState, ChildAction>(
    _ state: CasePath<State, ChildState>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child:
      @escaping () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let assembly = assemble()
    let place = ScopePlace(
      named: CasePlace(
        line: "\(fileID):\(line)", inner: assembly.claims.count,
        types: [ObjectIdentifier(ChildState.self), ObjectIdentifier(ChildAction.self)]))
    let site = OperatorSite(name: "ifCaseLet", fileID: fileID, line: line)
    let child = ChildReducer(at: place, site, child)
    let kind = ChildKind<ChildState>()
    let children = ChildPlace<State>(place) { .one(state.extract($0).map(kind.element)) }
    return assembly.running(children, action.is) { root, rootAction, _ in
      guard let childAction = action.extract(rootAction), !child.isDelegate(childAction)
      else { return (.none, nil) }
      guard var childState = state.extract(root) else {
        site.report(
          "an action came for a child while the state is in another case", action: rootAction,
          causes: [
            "the parent changed the case before this action came", OperatorSite.childStillRan,
          ])
        return (.none, nil)
      }
      let element = kind.element(of: childState)
      // A copy: `root` keeps the old payload until the changed one is embedded.
      let effect = child.reduce(&childState, childAction, in: element)
      root = state.embed(childState)
      return (effect.embedded(action, in: ScopeID(place, element)), nil)
    }
  }
}

/// Distinguishes an operator for a case from others of its parent.
///
/// It is the same each time that the parent is built. A case's path does not tell: where several cases
/// have payloads of one type, it knows its own only when a value has been extracted.
private struct CasePlace: Hashable {
  let line: String
  /// The number of operators in the reducer that it is applied to.
  let inner: Int
  /// The types of the child's state and actions.
  let types: [ObjectIdentifier]
}
