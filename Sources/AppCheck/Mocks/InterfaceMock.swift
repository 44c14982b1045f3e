@_spi(Host) package import AppCore

/// A feature that is known by its interface alone, so that an app can be used before the feature is
/// finished.
///
/// Its screen shows its arguments and the inputs that it received, and offers its delegate actions,
/// with a form for what each of them carries.
struct InterfaceMock: Feature {
  let info: FeatureInfo
  /// The version of the plugin that it stands in for.
  let version: String

  struct State: Codable, Hashable, Sendable {
    /// Redacted: arguments are only displayed.
    let arguments: Value
    var received: [Received] = []
    /// Form values by field key.
    var entries: [String: Value] = [:]
    var secrets: [String: Secret<String>] = [:]
  }

  /// An input action, without its secrets.
  struct Received: Codable, Hashable, Sendable {
    let name: String
    let payload: Value
  }

  enum Action: FeatureAction {
    enum View: Codable, Hashable, Sendable {
      case entered(_ value: Value, field: String)
      case enteredSecret(_ secret: Secret<String>, field: String)
      case sent(delegate: String)
    }
    case view(View)
    case delegate(MockCall)
    case input(MockCall)
  }

  func initialState(_ arguments: Value) throws -> State {
    State(arguments: info.arguments.redacted(try info.arguments.completing(arguments)))
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.entered(let value, let field)):
      state.entries[field] = value
      return .none
    case .view(.enteredSecret(let secret, let field)):
      state.secrets[field] = secret
      return .none
    case .view(.sent(let name)):
      guard let delegate = info.delegates.first(where: { $0.name == name }),
        let payload = MockForm(delegate).payload(state)
      else { return .none }
      let shown = (delegate.payload ?? .object([])).redacted(payload)
      return .send(.delegate(MockCall(name: name, payload: payload, shown: shown)))
    case .input(let call):
      let schema = info.inputs.first { $0.name == call.name }?.payload ?? .object([])
      state.received.append(Received(name: call.name, payload: schema.redacted(call.payload)))
      return .none
    case .delegate:
      return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("\(info.name) · mock") { screen in
      let arguments = Self.pairs(state.arguments)
      if !arguments.isEmpty { screen.section("Arguments") { $0.keyValues(arguments) } }
      if !state.received.isEmpty {
        screen.section("Received") { section in
          for input in state.received {
            section.text(
              input.payload == [:] ? input.name : "\(input.name) \(input.payload)")
          }
        }
      }
      for delegate in info.delegates { MockForm(delegate).show(state, on: &screen) }
    }
  }

  private static func pairs(_ arguments: Value) -> [KeyValue] {
    guard case .object(let fields) = arguments else {
      return [KeyValue("value", arguments.description)]
    }
    return fields.sorted { $0.key < $1.key }.map { name, value in
      if case .string(let text) = value {
        KeyValue(name, text)
      } else {
        KeyValue(name, value.description)
      }
    }
  }
}

extension PluginInterface {
  package var mock: LoadedPlugin {
    LoadedPlugin(
      name: name, version: version, configuration: info.configuration,
      features: info.features.map { feature in
        DeclaredFeature(
          InterfaceMock(info: feature, version: version),
          name: String(feature.name.dropFirst(name.count + 1)), arguments: feature.arguments,
          delegates: feature.delegates, inputs: feature.inputs)
      })
  }
}

/// A delegate or input action of a mock: the case's name and payload.
///
/// Encoded like the actions of features: one field, named for the case, with the payload. A log
/// shows the payload only if its secrets are known, so that they can be hidden.
package struct MockCall: Codable, Sendable {
  package let name: String
  package let payload: Value
  /// The payload without its secrets; `nil` if it is not known which parts are secret.
  private let shown: Value?

  package init(name: String, payload: Value, shown: Value? = nil) {
    self.name = name
    self.payload = payload
    self.shown = shown
  }

  package init(from decoder: any Decoder) throws {
    let fields = try [String: Value](from: decoder)
    guard let (name, payload) = fields.first, fields.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: "an action is one field, its name"))
    }
    self.init(name: name, payload: payload)
  }

  package func encode(to encoder: any Encoder) throws {
    try [name: payload].encode(to: encoder)
  }
}

extension MockCall: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    left.name == right.name && left.payload == right.payload
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(payload)
  }
}

extension MockCall: CustomReflectable {
  package var customMirror: Mirror {
    let text = payload == [:] ? name : "\(name) \(shown?.description ?? "…")"
    return Mirror(self, unlabeledChildren: [text], displayStyle: .struct)
  }
}
