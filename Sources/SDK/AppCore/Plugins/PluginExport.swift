/// What a plugin's C function returns to the host.
///
/// The call compiles into the plugin itself, and with it a reference to the symbol that names the
/// build of the SDK the plugin was compiled against.
///
/// - Returns: an opaque pointer, which only a host reads.
@_alwaysEmitIntoClient
public func export<P: Plugin>(_ plugin: P.Type) -> UnsafeMutableRawPointer {
  _ = appcoreContractSymbol()
  return describePlugin(plugin)
}

/// The description of `plugin`, for a host.
@usableFromInline
func describePlugin<P: Plugin>(_ plugin: P.Type) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(PluginDescription.of(plugin)).toOpaque()
}

/// What a plugin is: known without making it.
package class PluginDescription: @unchecked Sendable {
  // Unchecked: a class with subclasses; all of them hold constants of Sendable types only.
  package let name: String
  package let version: String
  package let configuration: Schema
  package let features: [FeatureDescription]

  init(name: String, version: String, configuration: Schema, features: [FeatureDescription]) {
    self.name = name
    self.version = version
    self.configuration = configuration
    self.features = features
  }

  /// Makes the plugin and its features.
  ///
  /// - Throws: `DecodingError` where `configuration` does not fit, and what the plugin throws.
  package func instantiate(configuration: Value) throws -> [AnyFeatureRuntime] {
    fatalError("\(Self.self) does not say how it is made")
  }

  package static func of<P: Plugin>(_ plugin: P.Type) -> PluginDescription {
    PluginDescriptionOf<P>()
  }
}

private final class PluginDescriptionOf<P: Plugin>: PluginDescription, @unchecked Sendable {
  private let registrations: [FeatureRegistration<P>]

  init() {
    var registry = PluginRegistry<P>()
    P.register(in: &registry)
    registrations = registry.features
    super.init(
      name: P.name, version: P.version, configuration: .ofArguments(P.Configuration.self),
      features: registry.features.map(\.description))
  }

  override func instantiate(configuration: Value) throws -> [AnyFeatureRuntime] {
    let plugin = try P(configuration: decodeArguments(P.Configuration.self, from: configuration))
    return registrations.map { $0.make(plugin) }
  }
}
