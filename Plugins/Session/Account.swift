internal import AppCore

/// Shows the user who is logged in, who can log out after confirming it.
struct Account: Feature {
  struct Arguments: Codable, Sendable {
    /// The name of the user who is logged in.
    var user: String
  }

  struct State: Codable, Sendable, Hashable {
    let user: String
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case logOutTapped
    }
    enum Delegate: Codable, Sendable, Hashable {
      /// Asks the app for a confirmation; the input `logoutConfirmed` arrives only if it is given.
      case logoutRequested
      case loggedOut
    }
    enum Input: Codable, Sendable, Hashable {
      case logoutConfirmed
    }
    case view(View)
    case delegate(Delegate)
    case input(Input)
  }

  func initialState(_ arguments: Arguments) -> State { State(user: arguments.user) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.logOutTapped): .send(.delegate(.logoutRequested))
    case .input(.logoutConfirmed): .send(.delegate(.loggedOut))
    case .delegate: .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Account") { screen in
      screen.text("Logged in as \(state.user).")
      screen.button("Log out", id: "logout", action: .logOutTapped)
    }
  }
}
