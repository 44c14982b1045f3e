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
  ///   - fileID: where the operator is written.
  ///   - line: where the operator is written.
  /// - Returns: both reducers.
  public func ifCaseLet<ChildState, ChildAction>(
    _ state: CasePath<State, ChildState>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let site = OperatorSite(name: "ifCaseLet", fileID: fileID, line: line)
    let run = child().assemble().run
    let inner = assemble()
    let parent = inner.part
    let boundary = ActionBoundary<ChildAction>()
    let scope = ChildScopes(named: "\(fileID):\(line)").only
    return inner.wrapped(claiming: action) { root, rootAction in
      var effect = Effect<Action>.none
      let wasPresent = state.matches(root)
      if let childAction = action.extract(rootAction), !boundary.isDelegate(childAction) {
        guard site.hasStack(for: ChildState.self) else { return .none }
        if var childState = state.extract(root) {
          let childEffect = run(&childState, childAction)
          root = state.embed(childState)
          effect = childEffect.embedded(action, in: scope)
        } else {
          site.report(
            "an action came for a child while the state is in another case", action: rootAction,
            causes: [
              "the parent changed the case before this action came",
              "an effect of the child still ran: start it in the child, so that it ends with it",
            ])
        }
      }
      let parentEffect = parent(&root, rootAction)
      if parentEffect.operation != nil { effect = effect.merge(with: parentEffect) }
      if wasPresent, !state.matches(root) {
        effect = effect.merge(with: Effect(.endScope(scope)))
      }
      return effect
    }
  }
}

extension Scope {
  /// Runs the reducers in `child` while the state is in one case of an enum.
  ///
  /// It doesn't see other reducers leave the case, and so doesn't end the child's effects then:
  /// ``Reducer/ifCaseLet(_:action:child:fileID:line:)`` around those reducers does.
  ///
  /// - Parameters:
  ///   - state: the case with the child's state, as in `/State.loggedIn`.
  ///   - action: the case with the child's actions.
  ///   - child: the child's reducers.
  ///   - fileID: where the operator is written.
  ///   - line: where the operator is written.
  public init<ChildState, ChildAction>(
    state: CasePath<State, ChildState>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let combined = EmptyReducer<State, Action>()
      .ifCaseLet(state, action: action, child: child, fileID: fileID, line: line)
    self.init(part: ReducerPart(step: combined.assemble().part.raw, filter: action.filter))
  }
}

extension CasePath {
  /// Whether `root` is in this path's case.
  func matches(_ root: Root) -> Bool { extract(root) != nil }
}
