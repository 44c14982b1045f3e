internal import Support

/// Finds containers that open one another endlessly, and containers that are nested too deeply.
///
/// Opening a container opens its first tab and its background instances; the other tabs are opened
/// when they are selected.
struct ContainerCheck {
  /// The deepest nesting of containers.
  static let limit = 32

  private struct Edge {
    let target: Int
    let range: SourceRange
  }

  private let manifest: Manifest
  private let counter: StepCounter

  /// Reports each group of containers that open one another, once, at its smallest position, and
  /// the containers whose nesting exceeds the limit.
  ///
  /// - Complexity: O(*n* + *u*), where *n* is the number of nodes and *u* the number of tabs and
  ///   background instances; without recursion.
  static func run(on draft: inout Draft) {
    let check = ContainerCheck(manifest: draft.manifest, counter: draft.counter)
    draft.problems += check.cycles + check.tooDeep
  }

  /// The nodes that are opened together with a container.
  private func opened(by node: Int) -> [Edge] {
    let node = manifest.nodes[node]
    return edges(node.tabs.prefix(1) + node.background)
  }

  private func edges(_ uses: some Sequence<NodeUse>) -> [Edge] {
    uses.compactMap { use in use.node.id.map { Edge(target: $0.index, range: use.node.range) } }
  }

  private var cycles: [Diagnostic] {
    let components = StronglyConnectedComponents(manifest.nodes.count, counter: counter) {
      opened(by: $0).map(\.target)
    }
    return zip(components.members, components.isCycle).filter(\.1).map { members, _ in
      cycle(among: Set(members))
    }
  }

  /// The problem of one group, with the shortest cycle through its first edge in the files.
  private func cycle(among members: Set<Int>) -> Diagnostic {
    func inside(_ node: Int) -> [Edge] { opened(by: node).filter { members.contains($0.target) } }
    let steps = members.flatMap { node in inside(node).map { (node: node, edge: $0) } }
    guard let first = steps.min(by: { $0.edge.range < $1.edge.range }) else {
      preconditionFailure("a cycle without edges")
    }
    counter.count(steps.count)
    var previous = [first.edge.target: first.node]
    var pending = [first.edge.target]
    var position = 0
    while previous[first.node] == nil, position < pending.count {
      let node = pending[position]
      position += 1
      for edge in inside(node) where previous[edge.target] == nil {
        counter.count()
        previous[edge.target] = node
        pending.append(edge.target)
      }
    }
    var way = [first.node]
    while let before = previous[way[way.count - 1]], way.count == 1 || way.last != first.node {
      way.append(before)
    }
    let names = way.reversed().map { manifest.nodes[$0].name.value }
    return Diagnostic(.containerCycle(names), at: first.edge.range)
  }

  /// The containers that are one level too high, counted from the innermost; those around them are
  /// too deep for the same reason, and are not reported.
  private var tooDeep: [Diagnostic] {
    let uses = manifest.nodes.map { edges($0.tabs + $0.background).map(\.target) }
    let components = StronglyConnectedComponents(uses.count, counter: counter) { uses[$0] }
    var heights = Array(repeating: 0, count: components.members.count)
    var found: [Diagnostic] = []
    for (number, members) in components.members.enumerated() {
      guard let node = members.first, !components.isCycle[number], !uses[node].isEmpty else {
        continue
      }
      counter.count(uses[node].count)
      heights[number] = 1 + (uses[node].map { heights[components.numbers[$0]] }.max() ?? 0)
      if heights[number] == Self.limit + 1 {
        found.append(Diagnostic(.tooNested(limit: Self.limit), at: manifest.nodes[node].name.range))
      }
    }
    return found
  }
}
