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
