internal import AppCore

/// Shows far more than a screen can hold.
struct Wall: Feature {
  struct Arguments: Codable, Sendable {
    var kind: String
  }

  struct State: Codable, Sendable, Hashable {
    let kind: String
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable { case pressed }
    case view(View)
  }

  func initialState(_ arguments: Arguments) -> State { State(kind: arguments.kind) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Wall") { screen in
      screen.button("First", id: "first", action: .pressed)
      switch state.kind {
      case "text": screen.text(String(repeating: "0123456789 ", count: 100_000))
      case "lines": screen.text(String(repeating: "line\n", count: 1_000_000))
      default: for index in 0..<1_000_000 { screen.text("Element \(index)") }
      }
      screen.button("Last", id: "last", action: .pressed)
    }
  }
}
