extension Store {
  /// A store of a part of the state, for the actions of one case.
  ///
  /// An action sent to it is sent once to the root store, however many scopes are in between.
  ///
  /// - Parameters:
  ///   - state: the child's part of the state.
  ///   - action: the case with the child's actions, as in `/Action.child`.
  ///   - fileID: the call site.
  ///   - line: the call site.
  /// - Returns: the child's store, which retains the root.
  public func scope<Child, ChildAction>(
    state: KeyPath<State, Child>, action: CasePath<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Child, ChildAction> {
    Store<Child, ChildAction>(
      PartNode(node, state, action, OperatorSite(name: "scope", fileID: fileID, line: line)))
  }

  /// A store of a child that may be absent.
  ///
  /// The store stays valid after the child is gone: its state is then the last one that was read,
  /// and actions sent to it are dropped and reported once.
  ///
  /// - Parameters:
  ///   - state: the child's state.
  ///   - action: the case with the child's actions.
  ///   - fileID: the call site.
  ///   - line: the call site.
  /// - Returns: the child's store; `nil` if the child is absent now.
  public func scope<Child, ChildAction>(
    state: KeyPath<State, Child?>, action: CasePath<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Child, ChildAction>? {
    scoped(
      to: { (copy $0)[keyPath: state] }, action,
      OperatorSite(name: "scope", fileID: fileID, line: line))
  }

  /// A store of a child that is presented.
  ///
  /// The store stays valid after the child is gone: its state is then the child's last state, and
  /// actions sent to it are dropped and reported once.
  ///
  /// - Parameters:
  ///   - state: the presentation, as in `\.$editor`.
  ///   - action: the case with the child's actions.
  ///   - fileID: the call site.
  ///   - line: the call site.
  /// - Returns: the child's store; `nil` if nothing is presented now.
  public func scope<Child, ChildAction>(
    state: KeyPath<State, PresentationState<Child>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Child, ChildAction>? {
    let presented = CasePath<PresentationAction<ChildAction>, ChildAction>(
      embed: { .presented($0) },
      extract: {
        guard case .presented(let action) = $0 else { return nil }
        return action
      })
    let child = PresentedNode(
      node, state, action.appending(presented),
      OperatorSite(name: "scope", fileID: fileID, line: line))
    return child.isGone ? nil : Store<Child, ChildAction>(child)
  }

  /// A store of the child in an enum's case; see the overload for a child that may be absent.
  ///
  /// - Parameters:
  ///   - state: the case with the child's state.
  ///   - action: the case with the child's actions.
  ///   - fileID: the call site.
  ///   - line: the call site.
  /// - Returns: the child's store; `nil` if the state is in another case now.
  public func scope<Child, ChildAction>(
    state: CasePath<State, Child>, action: CasePath<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Child, ChildAction>? {
    scoped(
      to: { state.extract(copy $0) }, action,
      OperatorSite(name: "scope", fileID: fileID, line: line))
  }

  /// A store of one element of an identified collection; see the overload for a child that may be
  /// absent.
  ///
  /// - Parameters:
  ///   - id: the element.
  ///   - state: the elements.
  ///   - action: the case with the elements' actions.
  ///   - fileID: the call site.
  ///   - line: the call site.
  /// - Returns: the element's store; `nil` if there is no such element now.
  public func scope<Element: Identifiable, ElementAction>(
    id: Element.ID, state: KeyPath<State, IdentifiedArray<Element>>,
    action: CasePath<Action, IdentifiedAction<Element.ID, ElementAction>>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Element, ElementAction>? where Element.ID: Sendable {
    let element = CasePath<IdentifiedAction<Element.ID, ElementAction>, ElementAction>(
      embed: { .element(id: id, action: $0) },
      extract: {
        guard case .element(id, let action) = $0 else { return nil }
        return action
      })
    return scoped(
      to: { (copy $0)[keyPath: state][id: id] }, action.appending(element),
      OperatorSite(name: "scope", fileID: fileID, line: line))
  }

  /// A store of one element of a stack; see the overload for a child that may be absent.
  ///
  /// - Parameters:
  ///   - id: the element.
  ///   - state: the stack.
  ///   - action: the case with the stack's actions.
  ///   - fileID: the call site.
  ///   - line: the call site.
  /// - Returns: the element's store; `nil` if there is no such element now.
  public func scope<Element, ElementAction>(
    id: StackElementID, state: KeyPath<State, StackState<Element>>,
    action: CasePath<Action, StackAction<Element, ElementAction>>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Element, ElementAction>? {
    let element = CasePath<StackAction<Element, ElementAction>, ElementAction>(
      embed: { .element(id: id, action: $0) },
      extract: {
        guard case .element(id, let action) = $0 else { return nil }
        return action
      })
    return scoped(
      to: { (copy $0)[keyPath: state][id: id] }, action.appending(element),
      OperatorSite(name: "scope", fileID: fileID, line: line))
  }

  /// The store of a child that may be absent.
  private func scoped<Child, ChildAction>(
    to project: @escaping (borrowing State) -> Child?, _ action: CasePath<Action, ChildAction>,
    _ site: OperatorSite
  ) -> Store<Child, ChildAction>? {
    guard !node.isGone, let child = project(state) else { return nil }
    return Store<Child, ChildAction>(OptionalNode(node, project, now: child, action, site))
  }
}
