@_spi(Host) package import AppCore

/// What a plugin is, known without its code: all that the checks, the editors' schema and `:plugins`
/// want to know.
///
/// A scan sends it from the process that has the code to the host, which then checks manifests
/// without loading the plugin.
package struct PluginInfo: Hashable, Sendable {
  package let name: String
  package let version: String
  /// What the manifest may give the plugin.
  package let configuration: Schema
  package let features: [FeatureInfo]

  package init(name: String, version: String, configuration: Schema, features: [FeatureInfo]) {
    self.name = name
    self.version = version
    self.configuration = configuration
    self.features = features
  }

  /// What a plugin says of itself whose code is here.
  package init(_ plugin: LoadedPlugin) {
    self.init(
      name: plugin.name, version: plugin.version, configuration: plugin.configuration,
      features: plugin.features)
  }
}
