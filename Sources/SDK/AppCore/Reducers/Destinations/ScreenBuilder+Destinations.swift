extension ScreenBuilder {
  /// Adds the screen of the presented child, one of several; its controls send that child's
  /// actions.
  ///
  /// - Parameters:
  ///   - destination: the child's state; nothing is added if it is `nil`.
  ///   - path: the case with the children's actions.
  /// - Returns: whether something was added, so that the rest of the screen can be left out.
  @discardableResult
  public mutating func embed<Choice>(
    _ destination: DestinationState<Choice>?,
    _ path: CasePath<Action, PresentationAction<DestinationAction<Choice>>>
  ) -> Bool {
    guard let parts = destination?.parts else { return false }
    self.parts.append(.child(parts) { path.embed($0) })
    return true
  }

  /// Adds the screen of a stack's top element, which is one of several children; its controls send
  /// that element's actions.
  ///
  /// - Parameters:
  ///   - stack: the elements; nothing is added if the stack is empty.
  ///   - path: the case with the stack's actions.
  /// - Returns: whether something was added, so that the rest of the screen can be left out.
  @discardableResult
  public mutating func embed<Choice>(
    _ stack: StackState<DestinationState<Choice>>,
    _ path: CasePath<Action, StackAction<DestinationState<Choice>, DestinationAction<Choice>>>
  ) -> Bool {
    guard let id = stack.ids.last, let parts = stack[id: id]?.parts else { return false }
    self.parts.append(
      .child(parts) {
        switch $0 {
        case .dismiss: path.embed(.popFrom(id: id))
        case .presented(let action): path.embed(.element(id: id, action: action))
        }
      })
    return true
  }
}

extension DestinationState {
  /// The screen of the child that is shown; `nil` if it has none.
  fileprivate var parts: [ScreenPart<PresentationAction<DestinationAction<Choice>>>]? {
    DestinationTable<Choice>.shared[key]?.parts(of: self)
  }
}
