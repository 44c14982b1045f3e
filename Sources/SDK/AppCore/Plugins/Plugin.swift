/// A plugin: features that a host can load, in one shared library.
///
/// Its life, in this order:
/// 1. its contract is read from the file; after a mismatch none of its code runs.
/// 2. ``register(in:)`` names its features. It has no other effect, and may be called in a process
///    that only needs the description.
/// 3. ``init(configuration:)`` creates the plugin from the manifest's configuration, once per app,
///    with the resources that its features share.
/// 4. each of its features is created once, and serves all of its instances.
///
/// A plugin exports one C function, named for the plugin:
///
/// ```swift
/// struct CounterPlugin: Plugin {
///   static let name = "Counter"
///   static let version = "1.0.0"
///   init(configuration: NoConfiguration) {}
///   static func register(in registry: inout PluginRegistry<Self>) {}
/// }
///
/// @c(appcore_plugin_Counter)
/// public func counterPlugin() -> UnsafeMutableRawPointer { export(CounterPlugin.self) }
/// ```
public protocol Plugin: Sendable {
  /// The configuration that the manifest may give the plugin.
  associatedtype Configuration: Codable & Sendable = NoConfiguration

  /// The plugin's name, as manifests write it and as its file is called: `lib<name>.so`.
  static var name: String { get }
  /// The plugin's version, as in `1.4.0`.
  static var version: String { get }

  /// Creates the plugin and the resources that its features share.
  ///
  /// - Throws: an error if the configuration can't be used; its description is shown.
  init(configuration: Configuration) throws

  /// Registers the plugin's features.
  static func register(in registry: inout PluginRegistry<Self>)
}

/// The configuration of a plugin that needs none.
@frozen
public struct NoConfiguration: Codable, Hashable, Sendable {
  public init() {}
}

/// Collects what a plugin exports.
///
/// `Owner` is a ``Plugin``. It is not constrained to be one, because checking the conformance in
/// each scanned plugin would search the conformances of all plugins that were loaded before it.
public struct PluginRegistry<Owner: Sendable> {
  private let plugin: String
  private(set) var features: [FeatureRegistration<Owner>] = []

  init(plugin: String) { self.plugin = plugin }

  /// Registers a feature, whose name within the plugin is that of its type unless given, and which
  /// `make` creates with the resources of the plugin that it needs.
  @inlinable
  public mutating func feature<F: Feature>(
    _ feature: F.Type, name: String? = nil, make: @escaping @Sendable (Owner) -> F
  ) {
    // Inlined into the plugin, so that the feature's step is compiled there.
    register(feature, name: name, make: make, step: { featureStep(of: $0) })
  }

  @usableFromInline
  mutating func register<F: Feature>(
    _ feature: F.Type, name: String?, make: @escaping @Sendable (Owner) -> F,
    step: @escaping @Sendable (F) -> FeatureStep
  ) {
    let info = FeatureInfo(feature, name: "\(plugin).\(name ?? SchemaProbe.name(of: feature))")
    features.append(
      FeatureRegistration(
        info: info,
        describeState: { SchemaProbe.schema(of: F.State.self, decodable: F.State.self) }
      ) { owner in
        let feature = make(owner)
        return FeatureBox(
          feature, info: info, step: step(feature),
          delegates: PayloadCase.all(of: F.Action.Delegate.self),
          inputs: PayloadCase.all(of: F.Action.Input.self))
      })
  }
}

struct FeatureRegistration<Owner: Sendable> {
  let info: FeatureInfo
  let describeState: @Sendable () -> Schema
  let make: @Sendable (Owner) -> LoadedFeature
}
