import AppCore

/// Notes in its state how it began, and makes the form of its state over.
struct Returner: Feature {
  typealias Arguments = MockArguments
  typealias Action = Deaf.Action

  struct State: Codable, Hashable, Sendable {
    let tag: String?
    var hooks: [String] = []
  }

  func initialState(_ arguments: MockArguments) throws -> State {
    if arguments.tag == MockArguments.refused { throw MockRefusal() }
    return State(tag: arguments.tag)
  }

  func didStart(_ state: inout State) -> Effect<Action> {
    state.hooks.append("didStart")
    return .none
  }

  func didRestore(_ state: inout State) -> Effect<Action> {
    state.hooks.append("didRestore")
    return .none
  }

  static func migrate(_ old: Value, from version: String) throws -> Value {
    guard case .object(var fields) = old else { return old }
    fields["hooks"] = .array([.string("migrated from \(version)")])
    return .object(fields)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }

  func screen(_ state: State) -> Screen<Action> { Screen("Returner") { _ in } }
}
