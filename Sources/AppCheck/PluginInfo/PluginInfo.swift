@_spi(Host) package import AppCore

/// The description of a plugin, for checks, the editors' schema and `:plugins`.
///
/// The scanning process sends it to the host, which then checks manifests without loading the
/// plugin.
package struct PluginInfo: Hashable, Sendable {
  package let name: String
  package let version: String
  /// The shape of its configuration in a manifest.
  package let configuration: Schema
  package let features: [FeatureInfo]
  /// The shapes of the features' states, by the features' full names; only a scan finds them.
  package var states: [String: Schema]

  package init(
    name: String, version: String, configuration: Schema, features: [FeatureInfo],
    states: [String: Schema] = [:]
  ) {
    self.name = name
    self.version = version
    self.configuration = configuration
    self.features = features
    self.states = states
  }

  /// Creates the description of a loaded plugin.
  package init(_ plugin: LoadedPlugin) {
    self.init(
      name: plugin.name, version: plugin.version, configuration: plugin.configuration,
      features: plugin.features)
  }
}
