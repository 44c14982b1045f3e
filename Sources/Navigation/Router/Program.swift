/// What a router goes by besides the features: the graph, and what makes instances of it.
///
/// A reference, because a plugin may be replaced while the app runs; only the router's own step for
/// that changes it, together with the features and the states.
final class Program {
  // The store reduces one action at a time, so nobody reads while it is written.
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
