internal import Navigation

/// The nodes of a graph by the names that an image may know them by.
struct NodeNames {
  private var indexes: [String: Int] = [:]

  init(_ graph: Graph) {
    for index in graph.presentNodes {
      for name in graph.nodes[index].formerNames where indexes[name] == nil {
        indexes[name] = index
      }
    }
    // A node's own name goes before what another one was called.
    for index in graph.presentNodes { indexes[graph.nodes[index].name] = index }
  }

  /// The node that is, or was, called `name`.
  func index(of name: String) -> Int? { indexes[name] }
}
