extension Store {
  /// A store of a part of the state, for the actions of one case.
  ///
  /// An action sent to it is sent once to the root store, however many scopes are in between.
  ///
  /// - Returns: the child's store, which retains the root.
  public func scope<Child, ChildAction>(
    state: KeyPath<State, Child>, action: CasePath<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Child, ChildAction> {
    let path = state
    return Store<Child, ChildAction>(
      ChildNode(
        node, action, OperatorSite(name: "scope", fileID: fileID, line: line),
        project: { $0[keyPath: path] }, last: { nil }))
  }

  /// A store of a child that may be absent.
  ///
  /// The store stays valid after the child is gone: its state is then the last one that was read,
  /// and actions sent to it are dropped and reported once.
  ///
  /// - Returns: the child's store; `nil` if the child is absent now.
  public func scope<Child, ChildAction>(
    state: KeyPath<State, Child?>, action: CasePath<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Child, ChildAction>? {
    scoped(to: { $0[keyPath: state] }, action, fileID, line)
  }

  /// A store of a child that is presented.
  ///
  /// The store stays valid after the child is gone: its state is then the child's last state, and
  /// actions sent to it are dropped and reported once.
  ///
  /// - Returns: the child's store; `nil` if nothing is presented now.
  public func scope<Child, ChildAction>(
    state: KeyPath<State, PresentationState<Child>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Child, ChildAction>? {
    let presented = CasePath<PresentationAction<ChildAction>, ChildAction>(
      embed: { .presented($0) },
      extract: { if case .presented(let action) = $0 { action } else { nil } })
    let child = PresentedChild<Child>()
    let scoped = ChildNode(
      node, action.appending(presented), OperatorSite(name: "scope", fileID: fileID, line: line),
      project: { child.look(at: $0[keyPath: state].box) }, last: { child.last })
    return scoped.current == nil ? nil : Store<Child, ChildAction>(scoped)
  }

  /// A store of the child in an enum's case; see the overload for a child that may be absent.
  public func scope<Child, ChildAction>(
    state: CasePath<State, Child>, action: CasePath<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Child, ChildAction>? {
    scoped(to: state.extract, action, fileID, line)
  }

  /// A store of one element of an identified collection; see the overload for a child that may be
  /// absent.
  public func scope<Element: Identifiable, ElementAction>(
    id: Element.ID, state: KeyPath<State, IdentifiedArray<Element>>,
    action: CasePath<Action, IdentifiedAction<Element.ID, ElementAction>>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Element, ElementAction>? where Element.ID: Sendable {
    let element = CasePath<IdentifiedAction<Element.ID, ElementAction>, ElementAction>(
      embed: { .element(id: id, action: $0) },
      extract: { if case .element(id, let action) = $0 { action } else { nil } })
    return scoped(
      to: { $0[keyPath: state][id: id] }, action.appending(element), fileID, line)
  }

  /// A store of one element of a stack; see the overload for a child that may be absent.
  public func scope<Element, ElementAction>(
    id: StackElementID, state: KeyPath<State, StackState<Element>>,
    action: CasePath<Action, StackAction<Element, ElementAction>>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Store<Element, ElementAction>? {
    let element = CasePath<StackAction<Element, ElementAction>, ElementAction>(
      embed: { .element(id: id, action: $0) },
      extract: { if case .element(id, let action) = $0 { action } else { nil } })
    return scoped(
      to: { $0[keyPath: state][id: id] }, action.appending(element), fileID, line)
  }

  /// The store of a child that may be absent.
  private func scoped<Child, ChildAction>(
    to project: @escaping (State) -> Child?, _ action: CasePath<Action, ChildAction>,
    _ fileID: StaticString, _ line: UInt
  ) -> Store<Child, ChildAction>? {
    guard var last = node.current.flatMap(project) else { return nil }
    return Store<Child, ChildAction>(
      ChildNode(
        node, action, OperatorSite(name: "scope", fileID: fileID, line: line),
        project: { parent in
          let now = project(parent)
          if let now { last = now }
          return now
        }, last: { last }))
  }
}

/// A presented child as its scoped store sees it.
///
/// It holds no copy of the state, since that would make changes copy.
private final class PresentedChild<State> {
  /// The child's last box, which a copy of the state may still retain.
  private weak var box: PresentationBox<State>?
  private var lastState: LastState<State>?

  /// The state in a box, which is looked at before each use of the child.
  func look(at box: PresentationBox<State>?) -> State? {
    guard let box else { return nil }
    if box !== self.box {
      self.box = box
      lastState = box.lastState()
    }
    return box.state
  }

  /// The state of a child that is gone.
  var last: State? {
    box?.leaveState()
    // The box is looked at anew if it comes back, with a copy of the state.
    box = nil
    return lastState?.settled()
  }
}
