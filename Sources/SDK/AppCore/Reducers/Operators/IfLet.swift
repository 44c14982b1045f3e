extension Reducer {
  /// Runs a child reducer while its optional state is not `nil`.
  ///
  /// The child runs before this reducer, so that the parent can remove it in response to the same
  /// action. The child's effects end when its state becomes `nil`. An alert or a dialog is dismissed
  /// by any of its actions, before this reducer handles it.
  ///
  /// ```swift
  /// struct Editor: Reducer {
  ///   enum Action: ComponentAction { case typed(String), closed }
  ///   func reduce(into text: inout String, action: Action) -> Effect<Action> {
  ///     if case .typed(let new) = action { text = new }
  ///     return .none
  ///   }
  /// }
  ///
  /// struct Notes: Reducer {
  ///   struct State { var editor: String? }
  ///   enum Action: ComponentAction { case openTapped, editor(Editor.Action) }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce { state, action in
  ///       switch action {
  ///       case .openTapped: state.editor = ""
  ///       case .editor(.closed): state.editor = nil
  ///       case .editor: break
  ///       }
  ///       return .none
  ///     }
  ///     .ifLet(\.editor, action: /Action.editor) { Editor() }
  ///   }
  /// }
  /// ```
  public func ifLet<ChildState, ChildAction>(
    _ state: WritableKeyPath<State, ChildState?>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child:
      @escaping () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let place = ScopePlace(state)
    let site = OperatorSite(name: "ifLet", fileID: fileID, line: line)
    let child = ChildReducer(at: place, site, child)
    let kind = ChildKind<ChildState>()
    let isEphemeral = ChildState.self is any EphemeralState.Type
    let children = ChildPlace<State>(place) { .one($0[keyPath: state].map(kind.element)) }
    return assemble().running(children, action.is) { root, rootAction, before in
      guard let childAction = action.extract(rootAction), !child.isDelegate(childAction)
      else { return (.none, nil) }
      guard let element = before.element else {
        site.reportAbsentChild(
          "an action came for a child whose state is nil", action: rootAction)
        return (.none, nil)
      }
      let effect = root[keyPath: state].update { child.reduce(&$0, childAction, in: element) }
      if isEphemeral { root[keyPath: state] = nil }
      return (effect?.embedded(action, in: ScopeID(place, element)) ?? .none, nil)
    }
  }
}

extension OperatorSite {
  /// Reports an action for a child that does not exist.
  func reportAbsentChild(_ what: String, action: Any) {
    report(
      what, action: action,
      causes: [
        "the parent let go of the child's state before this action came: let the child's reducer "
          + "answer first, as this operator does, or ignore the action in the parent",
        Self.childStillRan,
        "the action was sent without a child on the screen: show its controls only while it is there",
      ])
  }
}
