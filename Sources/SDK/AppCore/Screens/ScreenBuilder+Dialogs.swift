extension ScreenBuilder {
  /// Adds an alert if one is presented: its title, its message and its buttons.
  ///
  /// ```swift
  /// struct Notes: Feature {
  ///   struct State: Codable, Sendable { @Presented var alert: AlertState<Alert>? }
  ///   enum Alert: Codable, Sendable { case deleteConfirmed }
  ///   enum Action: FeatureAction {
  ///     enum View: Codable, Sendable { case deleteTapped }
  ///     case view(View)
  ///     case alert(PresentationAction<Alert>)
  ///   }
  ///
  ///   func initialState(_ arguments: NoArguments) -> State { State() }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce<State, Action> { state, action in .none }
  ///       .ifLet(\.$alert, action: /Action.alert)
  ///   }
  ///
  ///   func screen(_ state: State) -> Screen<Action> {
  ///     Screen("Notes") { screen in
  ///       if screen.alert(state.alert, /Action.alert) { return }
  ///       screen.button("Delete all", id: "delete", action: .deleteTapped)
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - alert: the alert; nothing is added if it is `nil`.
  ///   - path: the case with its actions.
  ///   - id: the prefix of its buttons' identifiers. A button's identifier is `alert.` and the name
  ///     of its action's case, or else its role, or else its position, counted from 1. If several
  ///     buttons have the same name, the later ones get their position as a suffix.
  /// - Returns: whether there is an alert, so that the rest of the screen can be left out.
  @discardableResult
  public mutating func alert<Button: Sendable>(
    _ alert: AlertState<Button>?, _ path: CasePath<Action, PresentationAction<Button>>,
    id: String = "alert"
  ) -> Bool {
    guard let alert else { return false }
    parts.append(.child(alert.parts(id: id)) { path.embed($0) })
    return true
  }

  /// Adds a confirmation dialog if one is presented, as for an alert, and returns whether there is.
  @discardableResult
  public mutating func confirmationDialog<Button: Sendable>(
    _ dialog: ConfirmationDialogState<Button>?,
    _ path: CasePath<Action, PresentationAction<Button>>, id: String = "dialog"
  ) -> Bool {
    guard let dialog else { return false }
    parts.append(.child(dialog.parts(id: id)) { path.embed($0) })
    return true
  }

  /// Adds a button that dismisses a presented child.
  public mutating func dismissButton<Child>(
    _ label: String, id: String? = nil, _ path: CasePath<Action, PresentationAction<Child>>
  ) {
    let action = path.embed(.dismiss)
    addControl(.button, label, id) { $0 == .press ? action : nil }
  }
}

extension AlertState where Action: Sendable {
  func parts(id: String = "alert") -> [ScreenPart<PresentationAction<Action>>] {
    dialogParts(title, message, buttons.isEmpty ? [ButtonState("OK")] : buttons, id: id)
  }
}

extension ConfirmationDialogState where Action: Sendable {
  func parts(id: String = "dialog") -> [ScreenPart<PresentationAction<Action>>] {
    // As TCA's users expect, a dialog can always be cancelled.
    let isLeft = buttons.contains { $0.role == .cancel }
    return dialogParts(title, message, buttons + (isLeft ? [] : [.cancel()]), id: id)
  }
}

private func dialogParts<Button: Sendable>(
  _ title: String, _ message: String, _ buttons: [ButtonState<Button>], id: String
) -> [ScreenPart<PresentationAction<Button>>] {
  var parts: [ScreenPart<PresentationAction<Button>>] = [.element(.heading(title))]
  if !message.isEmpty { parts.append(.element(.text(message, .plain))) }
  let metadata = EnumMetadata(Button.self)
  var names: Set<String> = []
  for (index, button) in buttons.enumerated() {
    var name =
      button.action.flatMap { action in metadata.map { $0.cases[$0.tag(of: action)].name } }
      ?? button.role?.rawValue ?? String(index + 1)
    // Two buttons may send the same case, with different values.
    if !names.insert(name).inserted { name += ".\(index + 1)" }
    let action = button.action.map { PresentationAction.presented($0) } ?? .dismiss
    parts.append(.control(.button, button.label, "\(id).\(name)") { $0 == .press ? action : nil })
  }
  return parts
}
