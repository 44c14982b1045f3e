extension Graph {
  /// The nodes that have instances as soon as an app begins: the start node, the background, and
  /// what containers among them bring along, which is their first tab and their background.
  public var nodesAtStart: Set<Int> {
    var found: Set<Int> = []
    var waiting = [start.node] + background.map(\.node)
    while let node = waiting.popLast() {
      guard found.insert(node).inserted else { continue }
      let definition = nodes[node]
      if case .tabs(let tabs) = definition.content, let first = tabs.first {
        waiting.append(first.node)
      }
      waiting += definition.background.map(\.node)
    }
    return found
  }
}
