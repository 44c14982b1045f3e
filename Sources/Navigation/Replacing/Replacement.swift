@_spi(Host) public import AppCore
public import Support

/// A request to replace the running build of a plugin with a new one.
///
/// Everything else has been checked beforehand; only the states remain to be carried over.
public final class Replacement: @unchecked Sendable {
  // Unchecked: used only on the store's thread.

  /// The plugin's name.
  public let plugin: String
  /// The version of the running build, and that of the new one.
  public let versions: (former: String, own: String)
  /// The origin of the request.
  let origin: Journal.Origin
  /// The graph for the new build; it has the nodes of the running graph.
  let graph: Graph
  /// The new build's features, by node.
  let features: [Int: LoadedFeature]
  /// The number of instances that were carried over, or why the build was rejected; `nil` before
  /// the attempt.
  public internal(set) var outcome: Result<Int, Rejection>?

  /// Creates a replacement.
  ///
  /// - Parameters:
  ///   - plugin: the plugin's name.
  ///   - versions: the running version and the new one.
  ///   - graph: the graph for the new build.
  ///   - features: the new build's features, by node.
  ///   - isAsked: whether the user asked for it.
  @_spi(Host) public init(
    plugin: String, versions: (former: String, own: String), graph: Graph,
    features: [Int: LoadedFeature], isAsked: Bool
  ) {
    self.plugin = plugin
    self.versions = versions
    self.graph = graph
    self.features = features
    origin = isAsked ? .person("reload \(plugin)") : .app
  }
}
