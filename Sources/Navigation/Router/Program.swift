/// The router's program besides the features: the graph, and the factory for its instances.
///
/// A reference, because a plugin may be replaced while the app runs; only the router's own step for
/// that changes it, together with the features and the states.
final class Program {
  // The store reduces one action at a time, so reads and writes never overlap.
  @exclusivity(unchecked) private(set) var graph: Graph
  @exclusivity(unchecked) private(set) var maker: InstanceMaker

  init(_ graph: Graph, _ features: FeatureTable, _ calls: CallSheet) {
    self.graph = graph
    maker = InstanceMaker(graph: graph, features: features, calls: calls)
  }

  func replace(_ graph: Graph) {
    self.graph = graph
    maker = InstanceMaker(graph: graph, features: maker.features, calls: maker.calls)
  }
}
