public import AppCore
public import AppCoreRuntime

/// A plugin's new build, to take the place of the one that runs.
///
/// Everything that can be checked before is; what is left is to carry the states over.
public final class Replacement: @unchecked Sendable {
  // Unchecked: made, used and read on the store's thread only.

  /// The plugin's name.
  public let plugin: String
  /// The plugins' versions.
  public let versions: (former: String, own: String)
  /// Who asked for it.
  let origin: Journal.Origin
  /// The graph as the new build's features make it; it has the nodes of the one that runs.
  let graph: Graph
  /// The feature of each node.
  let features: [FeatureWitness?]
  /// The nodes whose feature is another one now.
  let replaced: [Bool]
  /// What came of it; `nil` before it was tried.
  public internal(set) var outcome: Result<Int, StateNotTakenOver>?

  /// Creates a replacement.
  ///
  /// - Parameters:
  ///   - plugin: the plugin's name.
  ///   - versions: the version that runs, and the new one.
  ///   - graph: what the manifest says, for the new build.
  ///   - made: the new build's features, by their full names.
  ///   - features: those that run, by node.
  ///   - isAsked: whether a person asked for it.
  public init(
    plugin: String, versions: (former: String, own: String), graph: Graph,
    made: [String: FeatureWitness], over features: [FeatureWitness?], isAsked: Bool
  ) {
    self.plugin = plugin
    self.versions = versions
    self.graph = graph
    let own = graph.nodes.map { node in node.feature.flatMap { made[$0] } }
    replaced = own.map { $0 != nil }
    self.features = zip(own, features).map { $0 ?? $1 }
    origin = isAsked ? .person("reload \(plugin)") : .app
  }

  /// The feature of each node once it has taken place.
  public var newFeatures: [FeatureWitness?] { features }
}

/// Why an instance can't go over to another build of its feature.
public struct StateNotTakenOver: Error, Hashable, Sendable {
  /// The instance, and the name of its node.
  public let instance: InstanceID
  public let node: String
  public let reason: String
}
