internal import AppCoreRuntime

/// What a router goes by: the graph, and the feature of each node.
///
/// A reference, because a plugin may be replaced while the app runs; only the router's own step for
/// that changes it, together with the states.
final class Program {
  // The store reduces one action at a time, so nobody reads while it is written.
  @exclusivity(unchecked) private(set) var graph: Graph
  @exclusivity(unchecked) private(set) var features: [FeatureWitness?]
  @exclusivity(unchecked) private(set) var maker: InstanceMaker
  private let calls: CallSheet

  init(_ graph: Graph, _ features: [FeatureWitness?], _ calls: CallSheet) {
    self.graph = graph
    self.features = features
    self.calls = calls
    maker = InstanceMaker(graph: graph, features: features, calls: calls)
  }

  func replace(_ graph: Graph, _ features: [FeatureWitness?]) {
    self.graph = graph
    self.features = features
    maker = InstanceMaker(graph: graph, features: features, calls: calls)
  }
}
