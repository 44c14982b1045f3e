internal import Diagnostics

/// Finds containers that open one another without end.
///
/// A container opens its first tab and its background instances when it is opened itself; other
/// tabs wait until they are selected.
struct ContainerCheck {
  private struct Edge {
    let target: NodeID
    let range: SourceRange
  }

  /// Reports every circle once, at the smallest position in it.
  ///
  /// - Complexity: O(tabs and background instances), without recursion.
  static func run(on draft: inout Draft) {
    let edges = draft.manifest.nodes.map { Self.edges(of: $0) }
    var state: [State] = Array(repeating: .new, count: edges.count)
    for root in edges.indices where state[root] == .new {
      var path = [(node: root, next: 0)]
      state[root] = .open
      while let last = path.indices.last {
        let (node, next) = path[last]
        guard next < edges[node].count else {
          state[node] = .done
          path.removeLast()
          continue
        }
        path[last].next += 1
        let target = edges[node][next].target.index
        if state[target] == .new {
          state[target] = .open
          path.append((target, 0))
        } else if state[target] == .open,
          let first = path.firstIndex(where: { $0.node == target })
        {
          draft.problems.append(problem(path[first...], edges, draft.manifest))
        }
      }
    }
  }

  private enum State { case new, open, done }

  private static func edges(of node: Manifest.Node) -> [Edge] {
    (node.tabs.prefix(1) + node.background).compactMap { use in
      use.node.id.map { Edge(target: $0, range: use.node.range) }
    }
  }

  /// The problem of a circle, given as the nodes on it, each with the edge after the one it takes.
  private static func problem(
    _ circle: ArraySlice<(node: Int, next: Int)>, _ edges: [[Edge]], _ manifest: Manifest
  ) -> Problem {
    let steps = circle.map { (node: $0.node, range: edges[$0.node][$0.next - 1].range) }
    let smallest = steps.indices.min { steps[$0].range < steps[$1].range } ?? 0
    let turned = steps[smallest...] + steps[..<smallest]
    let names = turned.map { manifest.nodes[$0.node].name.value }
    return Problem(.containerCycle(names + names.prefix(1)), at: steps[smallest].range)
  }
}
