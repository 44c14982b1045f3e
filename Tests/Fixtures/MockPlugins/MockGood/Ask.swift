internal import AppCore

/// A dialog that asks for a text; going back counts as an answer, too.
struct Ask: Feature {
  struct Arguments: Codable, Sendable {
    var question: String
  }

  struct State: Codable, Sendable, Hashable {
    let question: String
    var text = ""
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case textChanged(String)
      case doneTapped
      case cancelTapped
    }
    enum Delegate: Codable, Sendable, Hashable {
      case answered(text: String)
      case cancelled
    }
    case view(View)
    case delegate(Delegate)
  }

  func initialState(_ arguments: Arguments) -> State { State(question: arguments.question) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.textChanged(let text)):
      state.text = text
      return .none
    case .view(.doneTapped):
      return .send(.delegate(.answered(text: state.text)))
    case .view(.cancelTapped):
      return .send(.delegate(.cancelled))
    case .delegate:
      return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Question", back: .cancelTapped) { screen in
      screen.text(state.question)
      screen.field("Answer", id: "answer", text: state.text) { .textChanged($0) }
      screen.button("Done", id: "done", isEnabled: !state.text.isEmpty, action: .doneTapped)
      screen.button("Cancel", id: "cancel", action: .cancelTapped)
    }
  }
}
