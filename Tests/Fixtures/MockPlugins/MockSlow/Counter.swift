internal import AppCore

/// Counts, and does nothing else.
struct Counter: Feature {
  struct State: Codable, Sendable, Hashable {
    var count = 0
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case addTapped
    }
    case view(View)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.addTapped): state.count += 1
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Counter") { screen in
      screen.text("The count is \(state.count).")
      screen.button("Add one", id: "add", action: .addTapped)
    }
  }
}
