extension Reducer {
  /// Runs an element's reducer for each element of a stack.
  ///
  /// `popFrom` and `push` change the stack after this reducer has seen them.
  ///
  /// ```swift
  /// struct Page: Reducer {
  ///   struct State: Sendable { var title: String }
  ///   enum Action: ComponentAction { case linkTapped(String), backTapped }
  ///   @Dependency(\.dismiss) var dismiss
  ///
  ///   func reduce(into state: inout State, action: Action) -> Effect<Action> {
  ///     guard case .backTapped = action else { return .none }
  ///     return .run { _ in await dismiss() }
  ///   }
  /// }
  ///
  /// struct Browser: Reducer {
  ///   struct State { var path: StackState<Page.State> = [] }
  ///   enum Action: ComponentAction { case path(StackAction<Page.State, Page.Action>) }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce { state, action in
  ///       if case .path(.element(_, .linkTapped(let title))) = action {
  ///         state.path.append(Page.State(title: title))
  ///       }
  ///       return .none
  ///     }
  ///     .forEach(\.path, action: /Action.path) { Page() }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - state: the stack.
  ///   - action: the case with the stack's actions.
  ///   - element: the reducers of one element.
  ///   - fileID: where the operator is written.
  ///   - line: where the operator is written.
  /// - Returns: both reducers.
  /// - Complexity: constant in the number of elements; popping is O(n) in those that go.
  @inlinable
  public func forEach<Element, ElementAction>(
    _ state: WritableKeyPath<State, StackState<Element>>,
    action: CasePath<Action, StackAction<Element, ElementAction>>,
    @ReducerBuilder<Element, ElementAction> element:
      () -> CombineReducers<Element, ElementAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let site = OperatorSite(name: "forEach", fileID: fileID, line: line)
    let run = element().assemble().run
    let inner = assemble()
    let parent = inner.part
    let boundary = ActionBoundary<ElementAction>()
    let part = StatePart(state)
    let scopes = ChildScopes(state)
    return inner.wrapped(claiming: action) { root, rootAction in
      var effect = Effect<Action>.none
      let stackAction = action.extract(rootAction)
      let before = part.read(&root) { $0.identity }
      switch stackAction {
      case .element(let id, let elementAction)? where !boundary.isDelegate(elementAction):
        guard site.hasStack(for: Element.self) else { return .none }
        let elementEffect = part.update(&root) { $0.update(id) { run(&$0, elementAction) } }
        if let elementEffect {
          if !elementEffect.isNone {
            effect = elementEffect.onStack(
              action, id, in: scopes.scope(id, origin: before.origin))
          }
        } else {
          site.reportAbsentElement(action: rootAction)
        }
      case .popFrom(let id)? where !part.read(&root) { $0.contains(id) }:
        site.reportAbsentPop(action: rootAction)
      case .push(let id, _)? where part.read(&root) { $0.contains(id) }:
        site.reportSecondPush(action: rootAction)
      default: break
      }
      let parentEffect = parent(&root, rootAction)
      if !parentEffect.isNone {
        effect = effect.isNone ? parentEffect : effect.merge(with: parentEffect)
      }
      switch stackAction {
      case .popFrom(let id)?: part.update(&root) { $0.pop(from: id) }
      case .push(let id, let element)?: part.update(&root) { $0.insert(element, id: id) }
      default: break
      }
      if part.read(&root, { before.isTop(of: $0) }) { return effect }
      let gone = part.read(&root) { before.removed(in: $0) }
      return gone.isEmpty
        ? effect : effect.ending(gone.map { scopes.scope($0, origin: before.origin) })
    }
  }
}

extension OperatorSite {
  @usableFromInline
  func reportAbsentElement(action: Any) {
    report(
      "an action came for an element that is not on the stack", action: action,
      causes: [
        "the element was popped before this action came",
        "an effect of the element still ran: start it in the element's reducer, so that it ends "
          + "with it",
      ])
  }

  @usableFromInline
  func reportAbsentPop(action: Any) {
    report(
      "an element was to be popped that is not on the stack", action: action,
      causes: ["the element was popped before this action came"])
  }

  @usableFromInline
  func reportSecondPush(action: Any) {
    report(
      "an element was to be pushed whose id is on the stack already", action: action,
      causes: ["take the id of a new element from the stack's 'nextID'"])
  }
}

extension Effect {
  /// An element's effect as its stack's parent's, ended with `scope`.
  @usableFromInline
  func onStack<Element, Parent>(
    _ path: CasePath<Parent, StackAction<Element, Action>>, _ id: StackElementID,
    in scope: EffectID
  ) -> Effect<Parent> {
    let embed = path.embed
    return map { embed(.element(id: id, action: $0)) }
      .dismissing(with: embed(.popFrom(id: id))).scoped(scope)
  }
}
