extension Reducer {
  /// Runs an element's reducer for each element of a stack.
  ///
  /// `popFrom` and `push` change the stack after this reducer has handled them.
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
  /// - Complexity: O(1); popping is O(*k*), where *k* is the number of popped elements.
  @inlinable
  public func forEach<Element, ElementAction>(
    _ state: WritableKeyPath<State, StackState<Element>>,
    action: CasePath<Action, StackAction<Element, ElementAction>>,
    @ReducerBuilder<Element, ElementAction> element:
      @escaping () -> CombineReducers<Element, ElementAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    let place = ScopePlace(state)
    let site = OperatorSite(name: "forEach", fileID: fileID, line: line)
    let stack = StackReducer(at: place, site, ChildReducer(at: place, site, element))
    let children = ChildPlace<State>(place, stack: state) {
      stack.contains(in: $0[keyPath: state])
    }
    return assemble().running(children, action.is) { root, rootAction, _ in
      switch action.extract(rootAction) {
      case .element(let id, let elementAction)?:
        let (effect, element) = stack.reduce(
          &root[keyPath: state], id, elementAction, rootAction)
        return (effect.isNone ? .none : stack.embed(effect, id, element, action), nil)
      case let change?: stack.check(change, of: root[keyPath: state], rootAction)
      case nil: break
      }
      return (.none, nil)
    } finish: { root, rootAction, _ in
      switch action.extract(rootAction) {
      case .element?, nil: break
      case let change?: root[keyPath: state].apply(change)
      }
    }
  }
}

/// The reducer of the elements of a stack.
@usableFromInline
final class StackReducer<State, Action: Sendable> {
  private let place: ScopePlace
  private let site: OperatorSite
  private let child: ChildReducer<State, Action>

  @usableFromInline
  init(at place: ScopePlace, _ site: OperatorSite, _ child: ChildReducer<State, Action>) {
    self.place = place
    self.site = site
    self.child = child
  }

  @usableFromInline
  func contains(in stack: StackState<State>) -> @Sendable (ScopeElement) -> Bool {
    let (positions, pushes) = (stack.positions, stack.pushes)
    return { element in
      guard case .onStack(let id, let push) = element else { return false }
      return positions[id].map { pushes[$0] } == push
    }
  }

  /// Reduces an element's action; returns its effect and the element.
  @usableFromInline
  func reduce<Root>(
    _ stack: inout StackState<State>, _ id: StackElementID, _ action: Action, _ rootAction: Root
  ) -> (Effect<Action>, ScopeElement) {
    guard let position = stack.position(of: id) else {
      if !child.isDelegate(action) { reportAbsent(rootAction) }
      return (.none, .only)
    }
    let element = ScopeElement.onStack(id, push: stack.pushes[position])
    return (child.reduce(&stack.elements[position], action, in: element), element)
  }

  /// Turns an element's effect into its parent's.
  @usableFromInline
  func embed<Parent>(
    _ effect: Effect<Action>, _ id: StackElementID, _ element: ScopeElement,
    _ path: CasePath<Parent, StackAction<State, Action>>
  ) -> Effect<Parent> {
    effect.embedded(in: ScopeID(place, element), dismissal: path.embed(.popFrom(id: id))) {
      path.embed(.element(id: id, action: $0))
    }
  }

  /// Reports a change of the stack that it can't make.
  @usableFromInline
  func check<Root>(
    _ change: StackAction<State, Action>, of stack: StackState<State>, _ rootAction: Root
  ) {
    let cause = "take the id of a new element from the stack's 'nextID'"
    switch change {
    case .popFrom(let id) where !stack.contains(id):
      site.report(
        "an element was to be popped that is not on the stack", action: rootAction,
        causes: ["the element was popped before this action came"])
    case .push(let id, _) where stack.contains(id):
      site.report(
        "an element was to be pushed whose id is on the stack already", action: rootAction,
        causes: [cause])
    case .push(let id, _) where id.generation > stack.next:
      site.report(
        "an element was to be pushed with an id that the stack has not given out",
        action: rootAction, causes: [cause])
    default: break
    }
  }

  private func reportAbsent<Root>(_ rootAction: Root) {
    site.report(
      "an action came for an element that is not on the stack", action: rootAction,
      causes: ["the element was popped before this action came", OperatorSite.elementStillRan])
  }
}

extension StackState {
  /// Pushes or pops as `change` asks, unless the stack has not given out the identifier.
  @usableFromInline
  mutating func apply<Action>(_ change: StackAction<Element, Action>) {
    switch change {
    case .popFrom(let id): pop(from: id)
    case .push(let id, let element) where id.generation <= next: insert(element, id: id)
    default: break
    }
  }
}
