@_spi(Host) internal import AppCore

/// A changed manifest that is to take the place of the one that runs.
///
/// Everything has been checked and planned beforehand: the step itself can't fail.
public final class Adoption: @unchecked Sendable {
  // Unchecked: made, used and read on the store's thread only.

  /// The graph, numbered as the one before.
  let graph: Graph
  /// The features of its nodes.
  let features: FeatureTable
  /// The instances as they are to be; those that continue have their identifiers.
  let layout: Layout
  /// What does not come back as it was, in words.
  let losses: String?
  /// The origin of the request.
  let origin: Journal.Origin
  /// The identifiers of the instances, in the order of the layout; none before the step.
  public internal(set) var ids: [InstanceID] = []

  /// - Parameters:
  ///   - graph: the graph, numbered as the one before.
  ///   - features: the features of its nodes.
  ///   - layout: the instances as they are to be.
  ///   - losses: what does not come back as it was, in words.
  ///   - isAsked: whether the user asked for it.
  package init(
    _ graph: Graph, features: FeatureTable, layout: Layout, losses: String?, isAsked: Bool
  ) {
    self.graph = graph
    self.features = features
    self.layout = layout
    self.losses = losses
    origin = isAsked ? .person("reload") : .app
  }
}
