internal import AppCore

/// A list whose rows open the same list, one level deeper.
struct Tree: Feature {
  struct Arguments: Codable, Sendable, Defaulted {
    var level = 0
  }

  struct State: Codable, Sendable, Hashable {
    let level: Int
    /// The answer from the dialog; `nil` if there is none.
    var answer: String?
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case branchTapped(Int)
      case askTapped
      case countdownTapped
      case brokenTapped
    }
    enum Delegate: Codable, Sendable, Hashable {
      case opened(level: Int)
      case asked(question: String)
      case countdownRequested(seconds: Int)
      case brokenRequested
    }
    enum Input: Codable, Sendable, Hashable {
      case answered(text: String)
      case cancelled
    }
    case view(View)
    case delegate(Delegate)
    case input(Input)
  }

  func initialState(_ arguments: Arguments) -> State { State(level: arguments.level) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.branchTapped(let branch)):
      return .send(.delegate(.opened(level: state.level + branch)))
    case .view(.askTapped):
      return .send(.delegate(.asked(question: "What is level \(state.level)?")))
    case .view(.countdownTapped):
      return .send(.delegate(.countdownRequested(seconds: 3)))
    case .view(.brokenTapped):
      return .send(.delegate(.brokenRequested))
    case .input(.answered(let text)):
      state.answer = text
      return .none
    case .input(.cancelled):
      state.answer = nil
      return .none
    case .delegate:
      return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Level \(state.level)") { screen in
      screen.text(state.answer.map { "The answer is '\($0)'." } ?? "There is no answer yet.")
      screen.list([1, 2, 3], id: "branches") { branch in
        Row("Branch \(branch)", id: "branch\(branch)", action: .branchTapped(branch))
      }
      screen.button("Ask", id: "ask", action: .askTapped)
      screen.button("Count down", id: "countdown", action: .countdownTapped)
      screen.button("Open what is broken", id: "broken", action: .brokenTapped)
    }
  }
}
