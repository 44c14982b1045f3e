internal import AppCore

/// Points out missing input: the first empty field shows a problem until it is filled in.
struct SignIn: Feature {
  struct State: Codable, Sendable, Equatable {
    enum Field: Codable, Sendable { case name, password }
    var name = ""
    var password: Secret<String>?
    var missing: Field?
    var isSignedIn = false
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable {
      case nameChanged(String), passwordChanged(Secret<String>), signInTapped
    }
    case view(View)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.nameChanged(let name)):
      state.name = name
      state.missing = nil
    case .view(.passwordChanged(let password)):
      state.password = password
      state.missing = nil
    case .view(.signInTapped):
      state.missing = state.name.isEmpty ? .name : state.password == nil ? .password : nil
      state.isSignedIn = state.missing == nil
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Sign in") { screen in
      screen.field(
        "Name", id: "name", text: state.name,
        problem: state.missing == .name ? "who are you?" : nil
      ) { .nameChanged($0) }
      screen.secretField(
        "Password", id: "password", isSet: state.password != nil,
        problem: state.missing == .password ? "which is the password?" : nil
      ) { .passwordChanged($0) }
      screen.button("Sign in", id: "sign-in", action: .signInTapped)
      if state.isSignedIn { screen.text("Welcome, \(state.name).", style: .success) }
    }
  }
}
