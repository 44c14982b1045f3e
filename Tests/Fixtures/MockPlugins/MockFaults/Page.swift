internal import AppCore

/// A feature that shows a line and can be left.
struct Page: Feature {
  struct State: Codable, Sendable, Hashable {}

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable { case leaveTapped }
    enum Delegate: Codable, Sendable, Hashable { case left }
    case view(View)
    case delegate(Delegate)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .view(.leaveTapped) = action { return .send(.delegate(.left)) }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Page") { screen in
      screen.text("Nothing is wrong here.")
      screen.button("Leave", id: "leave", action: .leaveTapped)
    }
  }
}
