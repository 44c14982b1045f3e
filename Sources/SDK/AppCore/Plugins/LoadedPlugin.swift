/// A plugin that a host has before it: known, not yet made.
@_spi(Host)
public struct LoadedPlugin: Sendable {
  /// The plugin's name.
  public let name: String
  /// The plugin's version.
  public let version: String
  /// What the manifest may give it.
  public let configuration: Schema
  /// What it exports.
  public let features: [FeatureInfo]
  private let make: @Sendable (_ configuration: Value) throws -> [LoadedFeature]

  init(
    name: String, version: String, configuration: Schema, features: [FeatureInfo],
    make: @escaping @Sendable (Value) throws -> [LoadedFeature]
  ) {
    self.name = name
    self.version = version
    self.configuration = configuration
    self.features = features
    self.make = make
  }

  /// A plugin that is linked into this process.
  public init<P: Plugin>(_ plugin: P.Type) {
    var registry = PluginRegistry<P>(plugin: P.name)
    P.register(in: &registry)
    let registrations = registry.features
    self.init(
      name: P.name, version: P.version, configuration: .ofArguments(P.Configuration.self),
      features: registrations.map(\.info),
      make: { configuration in
        let plugin = try P(
          configuration: decodeArguments(P.Configuration.self, from: configuration))
        return registrations.map { $0.make(plugin) }
      })
  }

  /// The plugin behind the pointer that a plugin's exported function returned.
  ///
  /// - Parameter exported: what `export` made, in a file that agrees with this SDK's contract. It is
  ///   consumed.
  public init(exported: UnsafeMutableRawPointer) {
    self = Unmanaged<ExportedPlugin>.fromOpaque(exported).takeRetainedValue().plugin
  }

  /// Makes the plugin and its features.
  ///
  /// - Throws: `DecodingError` if `configuration` does not fit, and what the plugin throws.
  public func instantiate(configuration: Value) throws -> [LoadedFeature] {
    try make(configuration)
  }
}

/// What a plugin's exported function returns a pointer to.
private final class ExportedPlugin: Sendable {
  let plugin: LoadedPlugin
  init(_ plugin: LoadedPlugin) { self.plugin = plugin }
}

/// What a plugin's C function returns to the host.
///
/// The call compiles into the plugin itself, and with it a reference to the symbol that names the
/// contract of the SDK that the plugin was compiled against, and the SDK's version.
///
/// - Returns: an opaque pointer, which only a host reads.
@_alwaysEmitIntoClient
public func export<P: Plugin>(_ plugin: P.Type) -> UnsafeMutableRawPointer {
  _ = appcoreContractSymbol()
  PluginImages.register(#dsohandle, as: P.name)
  return describePlugin(plugin, mark: appcoreVersionMark)
}

/// The description of `plugin`, for a host.
///
/// - Parameters:
///   - plugin: the plugin.
///   - mark: which version of the SDK the plugin was compiled against; it is here so that the compiler
///     leaves it in the plugin's file, where the host reads it.
/// - Returns: an opaque pointer.
@usableFromInline
func describePlugin<P: Plugin>(_ plugin: P.Type, mark: StaticString) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(ExportedPlugin(LoadedPlugin(plugin))).toOpaque()
}
