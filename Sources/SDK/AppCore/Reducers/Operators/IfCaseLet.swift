extension Reducer {
  /// Runs a child reducer while the state is in one case of an enum.
  ///
  /// The child runs before this reducer. Its effects end when the state leaves the case.
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
  ///
  /// - Parameters:
  ///   - state: the case with the child's state, as in `/State.loggedIn`.
  ///   - action: the case with the child's actions.
  ///   - child: the child's reducers.
  ///   - fileID: the call site of the operator.
  ///   - line: the call site of the operator.
  /// - Returns: the combined reducer.
  public func ifCaseLet<ChildState, ChildAction>(
    _ state: CasePath<State, ChildState>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child:
      @escaping () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let site = OperatorSite(name: "ifCaseLet", fileID: fileID, line: line)
    let child = ChildReducer(child)
    let inner = assemble()
    let parent = inner.part
    let place = ScopePlace(named: "\(fileID):\(line)")
    let identifier = ChildIdentifier<ChildState>()
    return inner.wrapped(claiming: action) { root, rootAction in
      let cursor = EffectCursor.current
      let before = state.extract(root).map(identifier.element)
      if let cursor, cursor.endEffects(at: place, unless: { $0 == before }) { return .none }

      var effect = Effect<Action>.none
      if let childAction = action.extract(rootAction), !child.isDelegate(childAction),
        cursor?.originHasEnded != true
      {
        guard site.hasStack else { return .none }
        if let before, var childState = state.extract(root) {
          // A copy: `root` keeps the old payload until the changed one is embedded.
          let childEffect = cursor.descend(to: place, before) {
            child.reduce(&childState, childAction)
          }
          root = state.embed(childState)
          effect = childEffect.embedded(action, in: ScopeID(place, before))
        } else {
          site.report(
            "an action came for a child while the state is in another case", action: rootAction,
            causes: [
              "the parent changed the case before this action came",
              "an effect of the child still ran: start it in the child, so that it ends with it",
            ])
        }
      }
      let hasEffects = cursor != nil || !effect.isNone
      effect = effect.merged(with: parent(&root, rootAction))
      let after = state.extract(root).map(identifier.element)
      return before == nil || before == after || !hasEffects
        ? effect : effect.endingEffects(at: place) { $0 == after }
    }
  }
}
