internal import AppCheck
internal import AppCore

/// The feature that implements all mocks, according to their declarations.
struct MockBody: Feature {
  let mock: MockFeature

  struct State: Codable, Hashable, Sendable {
    let arguments: Value
    var received: [MockCall] = []
  }

  enum Action: FeatureAction {
    enum View: Codable, Hashable, Sendable {
      case tapped(delegate: String)
    }
    case view(View)
    case delegate(MockCall)
    case input(MockCall)
  }

  func initialState(_ arguments: Value) throws -> State {
    if let failure = mock.failure { throw MockFailure(description: failure) }
    return State(arguments: try mock.arguments.completing(arguments))
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.tapped(let name)):
      guard let sample = mock.delegates.first(where: { $0.schema.name == name })?.sample else {
        return .none
      }
      return .send(.delegate(MockCall(name: name, payload: sample)))
    case .input(let call):
      state.received.append(call)
      return .none
    case .delegate:
      return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen(mock.name) { screen in
      if !arguments(state).isEmpty {
        screen.section("Arguments") { $0.keyValues(arguments(state)) }
      }
      if !state.received.isEmpty {
        screen.section("Received") { section in
          for call in state.received {
            section.text(call.payload == [:] ? call.name : "\(call.name) \(call.payload.json)")
          }
        }
      }
      for delegate in mock.delegates {
        let name = delegate.schema.name
        screen.button(
          name, id: name, isEnabled: delegate.sample != nil, action: .tapped(delegate: name))
      }
    }
  }

  private func arguments(_ state: State) -> [KeyValue] {
    guard case .object(let fields) = mock.arguments else { return [] }
    return fields.map { field in
      let value = state.arguments[field.name] ?? .null
      switch (field.schema, value) {
      case (.secret, _), (.optional(.secret), .string): return KeyValue(field.name, "<secret>")
      case (_, .string(let text)): return KeyValue(field.name, text)
      default: return KeyValue(field.name, value.json)
      }
    }
  }
}
