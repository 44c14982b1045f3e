internal import AppCore

/// A feature whose initial state can't be created.
struct Broken: Feature {
  struct State: Codable, Sendable, Hashable {}

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable { case tapped }
    case view(View)
  }

  struct Failure: Error, CustomStringConvertible {
    let description = "the device does not answer"
  }

  func initialState(_ arguments: NoArguments) throws -> State { throw Failure() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Broken") { $0.text("Nobody ever sees this.") }
  }
}
