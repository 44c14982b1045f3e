import AppCore
internal import TestSupport

@testable import Navigation

/// What a new version of a manifest may change.
struct GraphChange {
  private var random: SplitMix64
  /// The version of the plugin.
  let version: String

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    version = Int.random(in: 0..<3, using: &random) == 0 ? "2.0.0" : "1.0.0"
  }

  /// Another version of a graph: nodes are renamed, lose what they were called, show other features,
  /// hold fewer tabs and fewer instances.
  mutating func changed(_ graph: Graph) -> Graph {
    let nodes = graph.nodes.map { changed($0) }
    return Graph(
      name: graph.name, title: graph.title, nodes: nodes, start: graph.start,
      background: graph.background.filter { _ in !isOne(in: 4) }, routes: graph.allRoutes)
  }

  private mutating func isOne(in count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func changed(_ node: Node) -> Node {
    var (name, former, content) = (node.name, node.formerNames, node.content)
    if isOne(in: 5) {
      // Renamed, and most of the time that is said.
      if !isOne(in: 3) { former.append(name) }
      name += "-new"
    }
    switch content {
    case .feature("Mock.Probe") where isOne(in: 5): content = .feature("Mock.Deaf")
    case .feature: break
    case .tabs(let tabs):
      let kept = tabs.filter { _ in !isOne(in: 4) }
      content = .tabs(kept.isEmpty ? tabs : kept.shuffled(using: &random))
    }
    return Node(
      name: name, title: node.title, content: content, arguments: node.arguments,
      shape: node.shape, maxDepth: isOne(in: 4) ? 1 : node.maxDepth,
      background: node.background.filter { _ in !isOne(in: 4) }, formerNames: former)
  }
}
