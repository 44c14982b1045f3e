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
  ///
  /// - Parameters:
  ///   - state: the child's state.
  ///   - action: the case with the child's actions.
  ///   - child: the child's reducers.
  ///   - fileID: the call site of the operator.
  ///   - line: the call site of the operator.
  /// - Returns: the combined reducer.
  public func ifLet<ChildState, ChildAction>(
    _ state: WritableKeyPath<State, ChildState?>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child:
      @escaping () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let site = OperatorSite(name: "ifLet", fileID: fileID, line: line)
    let child = ChildReducer(child)
    let inner = assemble()
    let parent = inner.part
    let part = StatePart(state)
    let place = ScopePlace(state)
    let identifier = ChildIdentifier<ChildState>()
    let isEphemeral = ChildState.self is any EphemeralState.Type
    return inner.wrapped(claiming: action) { root, rootAction in
      let cursor = EffectCursor.current
      let before = part.update(&root) { identifier.element(of: &$0) }
      if let cursor, cursor.endEffects(at: place, unless: { $0 == before }) { return .none }

      var effect = Effect<Action>.none
      if let childAction = action.extract(rootAction), !child.isDelegate(childAction),
        cursor?.originHasEnded != true
      {
        guard site.hasStack else { return .none }
        if let before {
          let childEffect = cursor.descend(to: place, before) {
            part.update(&root) { $0.reduceIfPresent { child.reduce(&$0, childAction) } }
          }
          effect = childEffect?.embedded(action, in: ScopeID(place, before)) ?? .none
          if isEphemeral { part.update(&root) { $0 = nil } }
        } else {
          site.reportAbsentChild(
            "an action came for a child whose state is nil", action: rootAction)
        }
      }
      let hasEffects = cursor != nil || !effect.isNone
      effect = effect.merged(with: parent(&root, rootAction))
      let after = part.update(&root) { identifier.element(of: &$0) }
      return before == nil || before == after || !hasEffects
        ? effect : effect.endingEffects(at: place) { $0 == after }
    }
  }
}

extension OperatorSite {
  /// Reports an action for a child that does not exist.
  @usableFromInline
  func reportAbsentChild(_ what: String, action: Any) {
    report(what, action: action, causes: Self.absentChildCauses)
  }

  private static var absentChildCauses: [String] {
    [
      "the parent let go of the child's state before this action came: let the child's reducer "
        + "answer first, as this operator does, or ignore the action in the parent",
      "an effect of the child still ran: start it in the child, so that it ends with it",
      "the action was sent without a child on the screen: show its controls only while it is there",
    ]
  }
}

extension Optional {
  /// Runs `body` on the value in place; `nil` if there is none.
  mutating func reduceIfPresent<Result>(_ body: (inout Wrapped) -> Result) -> Result? {
    guard self != nil else { return nil }
    // swift-format-ignore: NeverForceUnwrap
    return body(&self!)
  }
}
