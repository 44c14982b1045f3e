internal import AppCore

/// A yes-or-no question.
struct Confirm: Feature {
  struct Arguments: Codable, Sendable, Defaulted {
    var question = "Are you sure?"
    /// The label of the confirming button.
    var yes = "Yes"
    var no = "No"
  }

  struct State: Codable, Sendable, Hashable {
    let question: String
    let yes: String
    let no: String
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case yesTapped
      case noTapped
    }
    enum Delegate: Codable, Sendable, Hashable {
      case confirmed
      case declined
    }
    case view(View)
    case delegate(Delegate)
  }

  func initialState(_ arguments: Arguments) -> State {
    State(question: arguments.question, yes: arguments.yes, no: arguments.no)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.yesTapped): .send(.delegate(.confirmed))
    case .view(.noTapped): .send(.delegate(.declined))
    case .delegate: .none
    }
  }

  // Going back counts as "no": the feature that asked waits for an answer.
  func screen(_ state: State) -> Screen<Action> {
    Screen("Question", back: .noTapped) { screen in
      screen.text(state.question)
      screen.button(state.yes, id: "yes", action: .yesTapped)
      screen.button(state.no, id: "no", action: .noTapped)
    }
  }
}
