internal import AppCore

/// Asks for the user's name, and for the password if one is configured.
struct Login: Feature {
  /// The expected password; `nil` if the name is enough.
  let password: Secret<String>?

  struct State: Codable, Sendable, Hashable {
    var name = ""
    var nameProblem: String?
    /// The password that was typed, until it is compared; `nil` if nothing was typed.
    var password: Secret<String>?
    var passwordProblem: String?
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case nameChanged(String)
      case passwordChanged(Secret<String>)
      case logInTapped
    }
    enum Delegate: Codable, Sendable, Hashable {
      case loggedIn(user: String)
    }
    case view(View)
    case delegate(Delegate)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.nameChanged(let name)):
      state.name = name
      state.nameProblem = nil
      return .none
    case .view(.passwordChanged(let password)):
      state.password = password
      state.passwordProblem = nil
      return .none
    case .view(.logInTapped):
      return logIn(&state)
    case .delegate:
      return .none
    }
  }

  private func logIn(_ state: inout State) -> Effect<Action> {
    let name: UserName
    do throws(UserName.Problem) {
      name = try UserName(state.name)
    } catch {
      state.nameProblem = "\(error)"
      return .none
    }
    if let password {
      guard let typed = state.password else {
        state.passwordProblem = "type the password first"
        return .none
      }
      // Right or wrong, the typed password is not kept in the state.
      state.password = nil
      guard typed == password else {
        state.passwordProblem = "that is not the password; type it again"
        return .none
      }
    }
    return .send(.delegate(.loggedIn(user: name.text)))
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Log in") { screen in
      screen.text("The name says whose things are shown. It keeps nobody from those of others.")
      screen.field(
        "Name", id: "name", text: state.name, placeholder: "who you are; as in: name = ada",
        problem: state.nameProblem
      ) { .nameChanged($0) }
      if password != nil {
        screen.secretField(
          "Password", id: "password", isSet: state.password != nil, problem: state.passwordProblem
        ) { .passwordChanged($0) }
      }
      screen.button("Log in", id: "login", action: .logInTapped)
    }
  }
}
