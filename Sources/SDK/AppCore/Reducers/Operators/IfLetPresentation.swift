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
  @inlinable
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
    let child = PresentedReducer(at: place, ChildReducer(at: place, site, child))
    let children = ChildPlace<State>(place) { child.present(in: $0[keyPath: state]) }
    return assemble().running(children, action.is) { root, rootAction, before in
      // Taken out meanwhile: a second reference would make the change copy the child.
      var presentation = PresentationState<ChildState>.absent
      swap(&root[keyPath: state], &presentation)
      defer { root[keyPath: state] = presentation }
      guard !presentation.isEmpty else {
        child.reportAbsent(action, rootAction, site)
        return (.none, nil)
      }
      guard case .presented(let childAction)? = action.extract(rootAction) else {
        return (.none, presentation.assignment)
      }
      let (effect, leaving) = child.reduce(&presentation, childAction, before)
      return (effect.isNone ? .none : child.embed(effect, before, action), leaving)
    } finish: { root, _, assignment in
      guard let assignment, root[keyPath: state].assignment == assignment else { return }
      root[keyPath: state].willDismiss()
      root[keyPath: state] = .absent
    }
  }
}

/// The reducer of a presented child.
@usableFromInline
final class PresentedReducer<State, Action: Sendable> {
  private let place: ScopePlace
  private let child: ChildReducer<State, Action>
  private let kind = ChildKind<State>()
  private let actions = EnumMetadata(Action.self)

  @usableFromInline
  init(at place: ScopePlace, _ child: ChildReducer<State, Action>) {
    self.place = place
    self.child = child
  }

  @usableFromInline
  func present(in presentation: PresentationState<State>) -> PresentChildren {
    .one(kind.id(of: presentation).map(ScopeElement.presented))
  }

  /// Reduces the action of a child that is presented.
  ///
  /// - Returns: its effect, and the number of its assignment if the action answers it: one that the parent presents in
  ///   response stays.
  @usableFromInline
  func reduce(
    _ presentation: inout PresentationState<State>, _ action: Action, _ present: PresentChildren
  ) -> (Effect<Action>, leaving: Int?) {
    guard !child.isDelegate(action), let element = present.element else { return (.none, nil) }
    let isAnswered = kind.isAnswered(presentation, by: action, of: actions)
    let leaving = isAnswered ? presentation.assignment : nil
    return (presentation.update { child.reduce(&$0, action, in: element) } ?? .none, leaving)
  }

  /// Turns the child's effect into its parent's.
  @usableFromInline
  func embed<Parent>(
    _ effect: Effect<Action>, _ present: PresentChildren,
    _ path: CasePath<Parent, PresentationAction<Action>>
  ) -> Effect<Parent> {
    effect.embedded(
      in: present.element.map { ScopeID(place, $0) }, dismissal: path.embed(.dismiss)
    ) { path.embed(.presented($0)) }
  }

  /// Reports an action for a child that is not presented, unless it is for the parent alone.
  @usableFromInline
  func reportAbsent<Parent>(
    _ path: CasePath<Parent, PresentationAction<Action>>, _ action: Parent, _ site: OperatorSite
  ) {
    switch path.extract(action) {
    case .presented(let childAction)? where !child.isDelegate(childAction):
      site.reportAbsentChild(
        "an action came for a child that is not presented", action: action)
    case .dismiss?:
      site.reportAbsentChild(
        "a child was to be dismissed that is not presented", action: action)
    default: break
    }
  }
}
