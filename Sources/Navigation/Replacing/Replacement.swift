@_spi(Host) public import AppCore
public import Diagnostics

/// A plugin's new build that is to replace the running one.
///
/// Everything else has been checked beforehand; only the states remain to be carried over.
public final class Replacement: @unchecked Sendable {
  // Unchecked: made, used and read on the store's thread only.

  /// The plugin's name.
  public let plugin: String
  /// The plugins' versions.
  public let versions: (former: String, own: String)
  /// The origin of the request.
  let origin: Journal.Origin
  /// The graph as the new build's features make it; it has the nodes of the one that runs.
  let graph: Graph
  /// The new build's features, by node.
  let features: [Int: LoadedFeature]
  /// What came of it, with how many instances went over; `nil` before it was tried.
  public internal(set) var outcome: Result<Int, Rejection>?

  /// Creates a replacement.
  ///
  /// - Parameters:
  ///   - plugin: the plugin's name.
  ///   - versions: the running version and the new one.
  ///   - graph: what the manifest says, for the new build.
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
