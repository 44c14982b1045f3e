internal import AppCore

/// Every control, each with a view action of its own.
///
/// When a value changes, the reducer corrects the values that depend on it.
struct Controls: Feature {
  struct State: Codable, Sendable, Equatable {
    var text = ""
    var notes = "Several\nlines"
    var password: Secret<String>?
    var steps = 10.0
    var step = 5.0
    var size = "m"
    var isLocked = false
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable {
      case textChanged(String), notesChanged(String), passwordChanged(Secret<String>)
      case stepsChanged(Double), stepChanged(Double), sizeChosen(String), lockChanged(Bool)
    }
    case view(View)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.textChanged(let text)): state.text = text
    case .view(.notesChanged(let notes)): state.notes = notes
    case .view(.passwordChanged(let password)): state.password = password
    case .view(.stepsChanged(let steps)):
      (state.steps, state.step) = (steps, min(state.step, steps))
    case .view(.stepChanged(let step)): state.step = min(step, state.steps)
    case .view(.sizeChosen(let size)): state.size = size
    case .view(.lockChanged(let isLocked)): state.isLocked = isLocked
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    let isEnabled = !state.isLocked
    return Screen("Controls") { screen in
      screen.toggle("Lock the others", id: "lock", isOn: state.isLocked) { .lockChanged($0) }
      screen.field(
        "Text", id: "text", text: state.text, placeholder: "none", isEnabled: isEnabled
      ) { .textChanged($0) }
      screen.field(
        "Notes", id: "notes", text: state.notes, isMultiline: true, isEnabled: isEnabled
      ) { .notesChanged($0) }
      screen.secretField(
        "Password", id: "password", isSet: state.password != nil, isEnabled: isEnabled
      ) { .passwordChanged($0) }
      screen.numberField("Steps", id: "steps", value: state.steps, isEnabled: isEnabled) {
        .stepsChanged($0)
      }
      screen.numberField("Step", id: "step", value: state.step, isEnabled: isEnabled) {
        .stepChanged($0)
      }
      screen.choice(
        "Size", id: "size",
        options: [
          ChoiceOption("s", label: "Small"), ChoiceOption("m", label: "Medium"),
          ChoiceOption("l", label: "Large"),
        ],
        selected: state.size, isEnabled: isEnabled
      ) { .sizeChosen($0) }
    }
  }
}
