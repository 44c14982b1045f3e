@_spi(Host) public import AppCore

/// The descriptions of plugins that the checks use, provided by the host.
public struct FeatureCatalog: Sendable {
  /// What is known about one plugin.
  @_spi(Host)
  public enum PluginDescription: Sendable {
    case available(configuration: Schema, features: [FeatureInfo])
    /// It can't be loaded; the reason is shown.
    case unavailable(cause: String)
  }

  private var entries: [String: PluginDescription] = [:]
  private var featuresByName: [String: FeatureInfo] = [:]

  public init() {}

  /// The entry of the plugin with a name; `nil` if there is none.
  @_spi(Host)
  public subscript(plugin: String) -> PluginDescription? {
    get { entries[plugin] }
    set {
      if case .available(_, let features)? = entries[plugin] {
        for feature in features { featuresByName[feature.name] = nil }
      }
      entries[plugin] = newValue
      guard case .available(_, let features)? = newValue else { return }
      for feature in features where featuresByName[feature.name] == nil {
        featuresByName[feature.name] = feature
      }
    }
  }

  /// The names of all plugins, sorted.
  public var plugins: [String] { entries.keys.sorted() }

  /// The full names of all features that can be loaded, sorted.
  public var features: [String] {
    entries.values.flatMap { entry -> [String] in
      guard case .available(_, let features) = entry else { return [] }
      return features.map(\.name)
    }.sorted()
  }

  /// The feature with a full name; `nil` if it is unknown or its plugin can't be loaded.
  @_spi(Host)
  public func feature(_ name: String) -> FeatureInfo? { featuresByName[name] }
}
