internal import AppCore

/// The child of the studies in this chapter.
struct Counter: Reducer {
  struct State: Codable, Sendable, Equatable { var count = 0 }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case decrementTapped, incrementTapped }
    case view(View)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.decrementTapped): state.count -= 1
    case .view(.incrementTapped): state.count += 1
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Counter") { screen in
      screen.text("The count is \(state.count).")
      screen.button("Decrement", id: "decrement", action: .decrementTapped)
      screen.button("Increment", id: "increment", action: .incrementTapped)
    }
  }
}
