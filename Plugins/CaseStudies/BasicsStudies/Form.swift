internal import AppCore

/// A form with one action for all of its fields, which `BindingReducer` handles.
///
/// The reducer itself handles only the fields that others depend on. `Controls` does the same by
/// hand.
struct Form: Feature {
  struct State: Codable, Sendable, Equatable {
    enum Size: String, CaseIterable, Codable, Sendable { case small, large }
    var name = ""
    var steps = 10
    var step = 5
    var size = Size.small
    var isLocked = false
  }
  enum Action: FeatureAction {
    enum View: BindableAction { case binding(BindingAction<State>), resetTapped }
    case view(View)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .view(.binding(\.steps)), .view(.binding(\.step)):
        state.step = min(state.step, state.steps)
      case .view(.binding): break
      case .view(.resetTapped): state = State()
      }
      return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Form") { screen in
      screen.form(state) { form in
        form.toggle("Lock the others", \.isLocked)
        form.field("Name", \.name, placeholder: "nobody", isEnabled: !state.isLocked)
        form.field("Steps", \.steps, isEnabled: !state.isLocked)
        form.field("Step", \.step, isEnabled: !state.isLocked)
        form.choice("Size", \.size, isEnabled: !state.isLocked) { $0.rawValue }
      }
      screen.button("Reset", id: "reset", action: .resetTapped)
    }
  }
}
