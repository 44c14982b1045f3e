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
  public func ifLet<ChildState, ChildAction>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> child:
      @escaping () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let place = ScopePlace(state)
    let site = OperatorSite(name: "ifLet", fileID: fileID, line: line)
    let child = ChildReducer(at: place, site, child)
    let kind = ChildKind<ChildState>()
    let childActions = EnumMetadata(ChildAction.self)
    let children = ChildPlace<State>(place) {
      kind.id(of: $0[keyPath: state]).map(ScopeElement.presented)
    }
    // `finish` dismisses the child with this edition: one that the parent has presented in response
    // stays.
    return running(children, action) { root, presentationAction, rootAction -> (_, Int?) in
      var presentation = root[keyPath: state]
      let edition = presentation.box?.edition
      guard case .presented(let childAction) = presentationAction else {
        if edition == nil {
          site.reportAbsentChild(
            "a child was to be dismissed that is not presented", action: rootAction)
        }
        return (.none, edition)
      }
      guard !child.isDelegate(childAction) else { return (.none, nil) }
      guard let id = kind.id(of: presentation) else {
        site.reportAbsentChild(
          "an action came for a child that is not presented", action: rootAction)
        return (.none, nil)
      }
      let isAnswered = kind.isAnswered(presentation, by: childAction, of: childActions)
      // Taken out meanwhile: the second reference would make the change copy the child.
      root[keyPath: state] = .absent
      let element = ScopeElement.presented(id)
      let effect = presentation.update { child.reduce(&$0, childAction, in: element) }
      root[keyPath: state] = presentation
      let embedded = effect?.embedded(
        in: ScopeID(place, element), dismissal: action.embed(.dismiss)
      ) { action.embed(.presented($0)) }
      return (embedded ?? .none, isAnswered ? edition : nil)
    } finish: { root, _, edition in
      if let edition, root[keyPath: state].box?.edition == edition {
        root[keyPath: state] = .absent
      }
    }
  }
}
