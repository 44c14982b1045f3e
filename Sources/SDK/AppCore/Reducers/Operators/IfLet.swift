extension Reducer {
  /// Runs a child reducer while its optional state is there.
  ///
  /// The child runs before this reducer, so that the parent may let go of it in answer to the same
  /// action. The child's effects end when its state becomes `nil`.
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
  ///   - fileID: where the operator is written.
  ///   - line: where the operator is written.
  /// - Returns: both reducers.
  public func ifLet<ChildState, ChildAction>(
    _ state: WritableKeyPath<State, ChildState?>,
    action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let site = OperatorSite(name: "ifLet", fileID: fileID, line: line)
    let run = child().assemble().run
    let inner = assemble()
    let parent = inner.part
    let boundary = ActionBoundary<ChildAction>()
    let scope = ChildScopes(state).only
    let part = StatePart(state)
    return inner.wrapped(claiming: action) { root, rootAction in
      var effect = Effect<Action>.none
      let wasPresent = part.read(&root) { $0 != nil }
      if let childAction = action.extract(rootAction), !boundary.isDelegate(childAction) {
        guard site.hasStack(for: ChildState.self) else { return .none }
        let childEffect = part.update(&root) { state in
          state.reduceIfPresent { run(&$0, childAction) }
        }
        if let childEffect {
          effect = childEffect.embedded(action, in: scope)
        } else {
          site.reportAbsentChild(
            "an action came for a child whose state is nil", action: rootAction)
        }
      }
      let parentEffect = parent(&root, rootAction)
      if parentEffect.operation != nil { effect = effect.merge(with: parentEffect) }
      if wasPresent, part.read(&root, { $0 == nil }) {
        effect = effect.merge(with: Effect(.endScope(scope)))
      }
      return effect
    }
  }

  /// Runs a child reducer while it is presented.
  ///
  /// `dismiss` lets go of the child; an effect of the child may also call the dependency
  /// `dismiss`. The child's effects end when another child takes its place, or none; an enum of
  /// several children is another one when it is in another case. An alert or a dialog goes by itself
  /// when this reducer has answered one of its buttons.
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
  ///   - state: the presentation, as in `\.$editor`. A property of your own that only hands one on is
  ///     passed by: its getter and setter are not called for every action.
  ///   - action: the case with the child's actions.
  ///   - child: the child's reducers.
  ///   - fileID: where the operator is written.
  ///   - line: where the operator is written.
  /// - Returns: both reducers.
  @inlinable
  public func ifLet<ChildState, ChildAction>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> CombineReducers<ChildState, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let run = child().assemble().run
    let inner = assemble()
    let parent = inner.part
    let presented = PresentedChildOf(
      state, action, child: run, parent: parent,
      OperatorSite(name: "ifLet", fileID: fileID, line: line),
      isDismissal: { presentation in
        let action = presentation.assumingMemoryBound(to: PresentationAction<ChildAction>.self)
        if case .dismiss = action.pointee { return true }
        return false
      })
    return inner.wrapped(claiming: action, Assembly.Step(raw: RawStep(presented)))
  }
}

extension OperatorSite {
  /// Reports an action for a child that is not there.
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
  /// Runs `body` on the value in place; `nil` where there is none.
  @inlinable
  mutating func reduceIfPresent<Result>(_ body: (inout Wrapped) -> Result) -> Result? {
    guard self != nil else { return nil }
    // swift-format-ignore: NeverForceUnwrap
    return body(&self!)
  }
}

extension Effect {
  /// A child's effect as its parent's, ended with `scope`.
  @usableFromInline
  func embedded<Parent>(
    _ path: CasePath<Parent, Action>, in scope: EffectID
  ) -> Effect<Parent> {
    guard operation != nil else { return .none }
    return map(path.embed).scoped(scope)
  }

  /// A presented child's effect as its parent's, ended with `scope`.
  @usableFromInline
  func presented<Parent>(
    _ path: CasePath<Parent, PresentationAction<Action>>, in scope: EffectID
  ) -> Effect<Parent> {
    let embed = path.embed
    return map { embed(.presented($0)) }.dismissing(with: embed(.dismiss)).scoped(scope)
  }

  /// Gives the effects inside the dependency `dismiss`, which sends `action`.
  func dismissing(with action: @autoclosure @escaping @Sendable () -> Action) -> Self {
    operation.map { Self(.dismissing($0, action)) } ?? .none
  }
}
