internal import AppCheck
@_spi(Host) public import AppCore

/// A feature made of a declaration alone, so that a manifest can be tested without its features.
///
/// ```swift
/// let login = MockFeature(
///   "Session.Login", arguments: ["server": .string],
///   delegates: [MockCase("loggedIn", ["token": .string])])
/// ```
///
/// Its screen shows its arguments and the inputs it received, and has one button for each delegate
/// action, whose identifier is the action's name. Its state is `arguments` and `received`.
public struct MockFeature: Sendable {
  /// The feature's full name, `Plugin.Feature`.
  public let name: String
  /// What a route must supply.
  public let arguments: Schema
  /// What it tells the graph.
  public let delegates: [MockCase]
  /// What routes can tell it.
  public let inputs: [MockCase]
  /// What keeps its instances from being made; `nil` where nothing does.
  public let failure: String?
  /// The plugin that the interface is of which this was made; `nil` for a declaration.
  let plugin: Plugin?

  /// What a manifest can tell of a plugin besides its features.
  struct Plugin: Sendable {
    let version: String
    let configuration: Schema
  }

  /// Declares a feature.
  ///
  /// - Parameters:
  ///   - name: its full name, `Plugin.Feature`.
  ///   - arguments: what a route must supply, by name.
  ///   - defaults: what stands for arguments that are left out.
  ///   - delegates: what it tells the graph.
  ///   - inputs: what routes can tell it.
  ///   - failure: why its instances can't be made, to test what becomes of that.
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
    plugin = Plugin(version: interface.version, configuration: interface.info.configuration)
  }

  /// The features of the plugin whose interface is in a file, as `appcore interface PLUGIN --json`
  /// writes it: the same file that `appcore run --mock` takes.
  ///
  /// A button sends a plausible payload, such as the field's name for a string;
  /// ``AppHarness/emit(_:_:_:fileID:filePath:line:column:)`` sends any other.
  ///
  /// - Throws: what is wrong with the file, and where.
  public static func all(interface path: String) throws -> [MockFeature] {
    let interface = try PluginInterface(file: path)
    return interface.info.features.map { MockFeature($0, interface) }
  }

  /// The plugin's name and the feature's within it; `nil` where the name has no such form.
  var parts: (plugin: String, feature: String)? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    return (String(parts[0]), String(parts[1]))
  }
}
