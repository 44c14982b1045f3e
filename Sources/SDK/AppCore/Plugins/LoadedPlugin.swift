/// A plugin that a host knows and can instantiate.
@_spi(Host)
public struct LoadedPlugin: Sendable {
  public let name: String
  public let version: String
  /// The shape of its configuration in the manifest.
  public let configuration: Schema
  /// The features that it exports.
  public let features: [FeatureInfo]
  private let describeStates: @Sendable () -> [String: Schema]
  private let make: @Sendable (_ configuration: Value) throws -> [LoadedFeature]

  init(
    name: String, version: String, configuration: Schema, features: [FeatureInfo],
    describeStates: @escaping @Sendable () -> [String: Schema] = { [:] },
    make: @escaping @Sendable (Value) throws -> [LoadedFeature]
  ) {
    self.name = name
    self.version = version
    self.configuration = configuration
    self.features = features
    self.describeStates = describeStates
    self.make = make
  }

  /// Describes a plugin that is linked into this process.
  public init<P: Plugin>(_ plugin: P.Type) {
    var registry = PluginRegistry<P>(plugin: P.name)
    P.register(in: &registry)
    let registrations = registry.features
    self.init(
      name: P.name, version: P.version, configuration: .ofArguments(P.Configuration.self),
      features: registrations.map(\.info),
      describeStates: {
        Dictionary(registrations.map { ($0.info.name, $0.describeState()) }) { first, _ in first }
      },
      make: { configuration in
        let plugin = try P(
          configuration: decodeArguments(P.Configuration.self, from: configuration))
        return registrations.map { $0.make(plugin) }
      })
  }

  /// Takes over the description to which a plugin's exported function has returned a pointer.
  ///
  /// - Parameter exported: the result of `export`, from a file whose contract matches this SDK's.
  ///   It is consumed.
  public init(exported: UnsafeMutableRawPointer) {
    self = Unmanaged<ExportedPlugin>.fromOpaque(exported).takeRetainedValue().plugin
  }

  /// The shapes in which the features' states are kept, by the features' full names.
  ///
  /// They are found by decoding each state from made-up values, which may trap or take long: only a
  /// scan asks for them, in a process of its own and after it has sent all else.
  public func states() -> [String: Schema] { describeStates() }

  /// Creates the plugin and its features.
  ///
  /// - Throws: `DecodingError` if `configuration` does not fit, and what the plugin throws.
  public func instantiate(configuration: Value) throws -> [LoadedFeature] {
    try make(configuration)
  }
}

/// The object to which a plugin's exported function returns a pointer.
private final class ExportedPlugin: Sendable {
  let plugin: LoadedPlugin
  init(_ plugin: LoadedPlugin) { self.plugin = plugin }
}

/// Creates the value that a plugin's C function returns to the host.
///
/// It is compiled into the plugin itself, and with it the version of the SDK that the plugin was
/// compiled against, and a reference to the symbol that names that SDK's contract.
@_alwaysEmitIntoClient
public func export<P: Plugin>(_ plugin: P.Type) -> UnsafeMutableRawPointer {
  _ = appcoreContractSymbol()
  PluginImages.register(#dsohandle, as: P.name)
  return describePlugin(plugin, mark: appcoreVersionMark)
}

/// Creates the description of `plugin` for a host.
///
/// The mark, which is the version of the SDK that the plugin was compiled against, is a parameter so
/// that the compiler keeps it in the plugin's file, where the host reads it.
@usableFromInline
func describePlugin<P: Plugin>(_ plugin: P.Type, mark: StaticString) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(ExportedPlugin(LoadedPlugin(plugin))).toOpaque()
}
