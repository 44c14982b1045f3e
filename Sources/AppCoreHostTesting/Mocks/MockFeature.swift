public import AppCore

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
  }

  /// The plugin's name and the feature's within it; `nil` where the name has no such form.
  var parts: (plugin: String, feature: String)? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    return (String(parts[0]), String(parts[1]))
  }
}
