/// Adds a child's display to the screen of its parent.
protocol DestinationDisplay<State, Action>: Sendable {
  associatedtype State
  associatedtype Action: Sendable

  func add<Root>(
    _ state: State, to screen: inout ScreenBuilder<Root>,
    _ path: CasePath<Root, PresentationAction<Action>>)
}

/// Shows a child with its own screen.
struct ChildDisplay<State, Action: FeatureAction>: DestinationDisplay {
  let screen: @Sendable (State) -> Screen<Action>

  func add<Root>(
    _ state: State, to builder: inout ScreenBuilder<Root>,
    _ path: CasePath<Root, PresentationAction<Action>>
  ) {
    builder.embed(state, path, screen: screen)
  }
}

struct AlertDisplay<Button: Sendable>: DestinationDisplay {
  func add<Root>(
    _ alert: AlertState<Button>, to screen: inout ScreenBuilder<Root>,
    _ path: CasePath<Root, PresentationAction<Button>>
  ) {
    screen.alert(alert, path)
  }
}

struct DialogDisplay<Button: Sendable>: DestinationDisplay {
  func add<Root>(
    _ dialog: ConfirmationDialogState<Button>, to screen: inout ScreenBuilder<Root>,
    _ path: CasePath<Root, PresentationAction<Button>>
  ) {
    screen.confirmationDialog(dialog, path)
  }
}

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
    guard let destination else { return false }
    let shown = DestinationTable<Choice>.shared[destination.key]
    return shown?.show(destination, on: &self, path) ?? false
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
    guard let id = stack.ids.last else { return false }
    let embed = path.embed
    return self.embed(
      stack[id: id],
      CasePath(
        embed: {
          switch $0 {
          case .dismiss: embed(.popFrom(id: id))
          case .presented(let action): embed(.element(id: id, action: action))
          }
        },
        extract: { _ in nil }))
  }
}
