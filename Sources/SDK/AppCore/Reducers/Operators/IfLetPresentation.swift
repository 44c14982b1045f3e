extension Reducer {
  /// Runs a child reducer while it is presented.
  ///
  /// `dismiss` dismisses the child; an effect of the child may also call the dependency `dismiss`.
  /// The child's effects are cancelled when it is dismissed or replaced by another child; an enum
  /// of several children is a different child when its case changes. An alert or a dialog is
  /// dismissed automatically after this reducer has handled one of its buttons.
  ///
  /// ```swift
  /// struct Editor: Reducer {
  ///   struct State: Equatable { var text = "" }
  ///   enum Action: ComponentAction { case typed(String), doneTapped }
  ///   @Dependency(\.dismiss) var dismiss
  ///
  ///   func reduce(into state: inout State, action: Action) -> Effect<Action> {
  ///     switch action {
  ///     case .typed(let text):
  ///       state.text = text
  ///       return .none
  ///     case .doneTapped: return .run { _ in await dismiss() }
  ///     }
  ///   }
  /// }
  ///
  /// struct Notes: Reducer {
  ///   struct State {
  ///     @Presented var editor: Editor.State?
  ///     var saved: [String] = []
  ///   }
  ///   enum Action: ComponentAction {
  ///     case newTapped
  ///     case editor(PresentationAction<Editor.Action>)
  ///   }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce { state, action in
  ///       switch action {
  ///       case .newTapped: state.editor = Editor.State()
  ///       case .editor(.presented(.doneTapped)): state.saved.append(state.editor?.text ?? "")
  ///       case .editor: break
  ///       }
  ///       return .none
  ///     }
  ///     .ifLet(\.$editor, action: /Action.editor) { Editor() }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - state: the presentation, as in `\.$editor`. A computed property of yours that only
  ///     forwards it is bypassed: its getter and setter are not called for each action.
  ///   - action: the case with the child's actions.
  ///   - child: the child's reducers.
  ///   - fileID: the call site of the operator.
  ///   - line: the call site of the operator.
  /// - Returns: the combined reducer.
  @inlinable
  public func ifLet<ChildState, ChildAction>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> child:
      @escaping () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let site = OperatorSite(name: "ifLet", fileID: fileID, line: line)
    let child = ChildReducer(child)
    let inner = assemble()
    let parent = inner.part
    let part = StatePart(presentation: state)
    let place = ScopePlace(state)
    let identifier = PresentationIdentifier<ChildState>()
    let childActions = EnumMetadata(ChildAction.self)
    return inner.wrapped(claiming: action) { root, rootAction in
      let cursor = EffectCursor.current
      let (before, edition) = part.update(&root) { (identifier.id(of: $0), $0.box?.edition) }
      if let cursor,
        cursor.endEffects(at: place, unless: { $0 == before.map(ScopeElement.presented) })
      {
        return .none
      }

      var effect = Effect<Action>.none
      var leaves = false
      switch action.extract(rootAction) {
      case nil: break
      case .dismiss?:
        leaves = true
        if before == nil {
          site.reportAbsentChild(
            "a child was to be dismissed that is not presented", action: rootAction)
        }
      case .presented(let childAction)?:
        if child.isDelegate(childAction) || cursor?.originHasEnded == true { break }
        guard site.hasStack else { return .none }
        guard let before else {
          site.reportAbsentChild(
            "an action came for a child that is not presented", action: rootAction)
          break
        }
        leaves = part.update(&root) {
          identifier.isAnswered($0, by: childAction, of: childActions)
        }
        let childEffect = cursor.descend(to: place, .presented(before)) {
          part.update(&root) { $0.update { child.reduce(&$0, childAction) } }
        }
        if let childEffect, !childEffect.isNone {
          let embed = action.embed
          effect =
            childEffect
            .embedded(dismissal: embed(.dismiss)) { embed(.presented($0)) }
            .scoped(ScopeID(place, .presented(before)))
        }
      }
      let hasEffects = cursor != nil || !effect.isNone
      effect = effect.merged(with: parent(&root, rootAction))
      guard let before else { return effect }
      let after = part.update(&root) { presentation -> PresentationID? in
        // A child that the parent has presented in response stays.
        if leaves, presentation.box?.edition == edition { presentation = .absent }
        return identifier.id(of: presentation)
      }
      return before == after || !hasEffects
        ? effect
        : effect.endingEffects(at: place) { $0 == after.map(ScopeElement.presented) }
    }
  }
}
