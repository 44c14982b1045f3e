@_spi(Host) internal import AppCore

/// What a plugin is, known without its code: all that the checks, the editors' schema and `:plugins`
/// want to know.
///
/// A scan sends it from the process that has the code to the host, which then checks manifests
/// without loading the plugin.
struct PluginInfo: Hashable, Sendable {
  let name: String
  let version: String
  /// What the manifest may give the plugin.
  let configuration: Schema
  let features: [FeatureInfo]

  init(name: String, version: String, configuration: Schema, features: [FeatureInfo]) {
    self.name = name
    self.version = version
    self.configuration = configuration
    self.features = features
  }

  /// What a plugin says of itself whose code is here.
  init(_ plugin: LoadedPlugin) {
    self.init(
      name: plugin.name, version: plugin.version, configuration: plugin.configuration,
      features: plugin.features)
  }
}
