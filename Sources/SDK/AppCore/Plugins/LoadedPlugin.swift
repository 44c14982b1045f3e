/// A plugin that a host has before it: known, not yet made.
@_spi(Host)
public struct LoadedPlugin: Sendable {
  private let description: PluginDescription

  init(_ description: PluginDescription) { self.description = description }

  /// The plugin behind the pointer that a plugin's exported function returned.
  ///
  /// - Parameter exported: what `export` made, in a file whose contract is this SDK's. It is
  ///   consumed.
  public init(exported: UnsafeMutableRawPointer) {
    description = Unmanaged<PluginDescription>.fromOpaque(exported).takeRetainedValue()
  }

  /// A plugin that is linked into this process.
  public init(_ plugin: (some Plugin).Type) { description = PluginDescription.of(plugin) }

  /// The plugin's name.
  public var name: String { description.name }
  /// The plugin's version.
  public var version: String { description.version }
  /// What the manifest may give it.
  public var configuration: Schema { description.configuration }
  /// What it exports.
  public var features: [FeatureInfo] {
    description.features.map { FeatureInfo($0, plugin: description.name) }
  }

  /// Makes the plugin and its features.
  ///
  /// - Throws: `DecodingError` where `configuration` does not fit, and what the plugin throws.
  public func instantiate(configuration: Value) throws -> [LoadedFeature] {
    zip(try description.instantiate(configuration: configuration), features)
      .map { LoadedFeature($0, info: $1) }
  }
}
