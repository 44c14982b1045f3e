internal import AppCore

/// A room, which knows nothing of other screens.
///
/// It reports what has happened, and the routes of the manifest say what follows: rooms are pushed,
/// doors are presented as dialogs.
struct RoutesRoom: Feature {
  struct Arguments: Codable, Sendable, Defaulted { var number = 1 }
  struct State: Codable, Sendable, Equatable {
    let number: Int
    var doorsOpened = 0
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case doorTapped, exitTapped }
    enum Delegate: Codable, Sendable, Equatable { case doorFound(leadsTo: Int), exited }
    enum Input: Codable, Sendable, Equatable { case doorOpened }
    case view(View)
    case delegate(Delegate)
    case input(Input)
  }

  func initialState(_ arguments: Arguments) -> State { State(number: arguments.number) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.doorTapped): return .send(.delegate(.doorFound(leadsTo: state.number + 1)))
    case .view(.exitTapped): return .send(.delegate(.exited))
    case .input(.doorOpened): state.doorsOpened += 1
    case .delegate: break
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Room \(state.number)") { screen in
      screen.text("You have opened \(state.doorsOpened) doors of this room.")
      screen.button("Try a door", id: "door", action: .doorTapped)
      screen.button("Leave the house", id: "exit", action: .exitTapped)
    }
  }
}

/// A dialog that is closed by any answer.
struct RoutesDoor: Feature {
  struct Arguments: Codable, Sendable { var leadsTo: Int }
  struct State: Codable, Sendable, Equatable { let leadsTo: Int }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case openTapped, closeTapped }
    enum Delegate: Codable, Sendable, Equatable { case opened(leadsTo: Int), closed }
    case view(View)
    case delegate(Delegate)
  }

  func initialState(_ arguments: Arguments) -> State { State(leadsTo: arguments.leadsTo) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.openTapped): .send(.delegate(.opened(leadsTo: state.leadsTo)))
    case .view(.closeTapped): .send(.delegate(.closed))
    case .delegate: .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("A door", back: .closeTapped) { screen in
      screen.text("It leads to room \(state.leadsTo).")
      screen.button("Open it", id: "open", action: .openTapped)
      screen.button("Leave it", id: "close", action: .closeTapped)
    }
  }
}
