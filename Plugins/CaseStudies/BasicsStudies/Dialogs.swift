internal import AppCore

/// Dialogs are state: assigning one shows it, and any answer dismisses it.
struct Dialogs: Feature {
  struct State: Codable, Sendable, Equatable {
    @Presented var alert: AlertState<Alert>?
    @Presented var dialog: ConfirmationDialogState<Dialog>?
    var count = 0
  }
  enum Alert: Codable, Sendable { case incremented }
  enum Dialog: Codable, Sendable { case incremented, decremented }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case alertTapped, dialogTapped }
    case view(View)
    case alert(PresentationAction<Alert>)
    case dialog(PresentationAction<Dialog>)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.alertTapped):
        state.alert = AlertState {
          "An alert"
        } actions: {
          ButtonState.cancel()
          ButtonState("Increment", action: .incremented)
        } message: {
          "It informs, and may have a button or two."
        }
      case .view(.dialogTapped):
        state.dialog = ConfirmationDialogState {
          "A confirmation dialog"
        } actions: {
          ButtonState("Increment", action: .incremented)
          ButtonState("Decrement", role: .destructive, action: .decremented)
        } message: {
          "It offers a choice, and can always be left."
        }
      case .alert(.presented(.incremented)), .dialog(.presented(.incremented)):
        state.count += 1
        state.alert = AlertState { "Incremented" }
      case .dialog(.presented(.decremented)):
        state.count -= 1
        state.alert = AlertState { "Decremented" }
      case .alert(.dismiss), .dialog(.dismiss): break
      }
      return .none
    }
    .ifLet(\.$alert, action: /Action.alert)
    .ifLet(\.$dialog, action: /Action.dialog)
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Dialogs") { screen in
      if screen.alert(state.alert, /Action.alert) { return }
      if screen.confirmationDialog(state.dialog, /Action.dialog) { return }
      screen.text("The count is \(state.count).")
      screen.button("Alert", id: "show-alert", action: .alertTapped)
      screen.button("Confirmation dialog", id: "show-dialog", action: .dialogTapped)
    }
  }
}
