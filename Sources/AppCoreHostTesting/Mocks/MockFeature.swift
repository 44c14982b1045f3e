internal import AppCheck
@_spi(Host) public import AppCore

/// A feature without an implementation, to test a manifest without its features.
///
/// ```swift
/// let login = MockFeature(
///   "Session.Login", arguments: ["server": .string],
///   delegates: [MockCase("loggedIn", ["token": .string])])
/// ```
///
/// Its screen shows its arguments and the inputs that it received. It has one button for each
/// delegate action; the button's identifier is the action's name. The fields of its state are
/// `arguments` and `received`.
public struct MockFeature: Sendable {
  /// The feature's full name, `Plugin.Feature`.
  public let name: String
  /// The arguments that a route must supply.
  public let arguments: Schema
  /// The delegate actions, which the feature reports to the graph.
  public let delegates: [MockCase]
  /// The input actions, which routes can send to the feature.
  public let inputs: [MockCase]
  /// Why its instances can't be created; `nil` if they can.
  public let failure: String?
  /// What a manifest depends on, other than its features, of the plugin whose interface this mock was
  /// created from; `nil` for a declared mock.
  let plugin: (version: String, configuration: Schema)?

  /// Declares a feature by its full name, `Plugin.Feature`.
  ///
  /// A route may leave out the arguments that have `defaults`. A `failure` is why instances can't be
  /// created, to test how the app handles that.
  public init(
    _ name: String, arguments: KeyValuePairs<String, Schema> = [:],
    defaults: [String: Value] = [:], delegates: [MockCase] = [], inputs: [MockCase] = [],
    failure: String? = nil
  ) {
    self.name = name
    self.arguments = .object(
      arguments.map { Schema.Field(name: $0, schema: $1, defaultValue: defaults[$0]) })
    self.delegates = delegates
    self.inputs = inputs
    self.failure = failure
    plugin = nil
  }

  private init(_ info: FeatureInfo, _ interface: PluginInterface) {
    name = info.name
    arguments = info.arguments
    delegates = info.delegates.map(MockCase.init)
    inputs = info.inputs.map(MockCase.init)
    failure = info.defect
    plugin = (interface.version, interface.info.configuration)
  }

  /// Creates mocks of all features of a plugin from its interface.
  ///
  /// The file is one that `appcore interface PLUGIN --json` prints, as for `appcore run --mock`. A
  /// button sends a plausible payload, such as the field's name for a string;
  /// ``AppHarness/emit(_:_:_:fileID:filePath:line:column:)`` sends any other.
  ///
  /// - Throws: what is wrong with the file, and where.
  public static func all(interface path: String) throws -> [MockFeature] {
    let interface = try PluginInterface(file: path)
    return interface.info.features.map { MockFeature($0, interface) }
  }

  /// The plugin's name and the feature's name within it; `nil` if ``name`` is not of that form.
  var parts: (plugin: String, feature: String)? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    return (String(parts[0]), String(parts[1]))
  }
}

/// A delegate or input action of a ``MockFeature``.
///
/// ```swift
/// let delegates: [MockCase] = ["cancelled", MockCase("loggedIn", ["token": .string])]
/// ```
public struct MockCase: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The action's name and the type of its payload.
  public let schema: CaseSchema
  /// The payload that pressing the action's button sends.
  ///
  /// `nil` if the button is disabled, so that only
  /// ``AppHarness/emit(_:_:_:fileID:filePath:line:column:)`` can send the action.
  public let sample: Value?

  /// Creates an action without a payload.
  public init(stringLiteral name: String) { self.init(name) }

  /// Creates an action with labelled values, as in `loggedIn(token: String)`; the payload has their
  /// labels and types.
  public init(
    _ name: String, _ payload: KeyValuePairs<String, Schema> = [:], sample: Value? = nil
  ) {
    let fields = payload.map { Schema.Field(name: $0, schema: $1) }
    schema = CaseSchema(name: name, payload: fields.isEmpty ? nil : .object(fields))
    // A bare `nil` would be the literal of the value null.
    self.sample = sample ?? (fields.isEmpty ? .object([:]) : Value?.none)
  }

  /// Creates an action with one unlabelled value, as in `chosen(String)`.
  public init(_ name: String, value: Schema, sample: Value? = nil) {
    schema = CaseSchema(name: name, payload: value)
    self.sample = sample
  }

  /// Creates an action from a plugin's interface, with a generated sample.
  init(_ schema: CaseSchema) {
    self.schema = schema
    sample = (schema.payload ?? .object([])).sample(schema.name)
  }
}

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
