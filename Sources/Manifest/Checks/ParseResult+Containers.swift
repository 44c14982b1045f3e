internal import Support

// Opening a container opens its first tab and its background instances; the other tabs are opened
// when they are selected.
extension ParseResult {
  /// The deepest nesting of containers.
  private static let containerLimit = 32

  /// Reports each group of containers that open one another, once, at its smallest position, and
  /// the containers whose nesting exceeds the limit.
  ///
  /// - Complexity: O(*n* + *u*), where *n* is the number of nodes and *u* the number of tabs and
  ///   background instances; without recursion.
  mutating func checkContainers() {
    let opened = manifest.nodes.map { node in
      (node.tabs.prefix(1) + node.background).filter { $0.node.id != nil }.map(\.node)
    }
    let components = StronglyConnectedComponents(opened.count) { node in
      opened[node].compactMap { $0.id?.index }
    }
    for (members, isCycle) in zip(components.members, components.isCycle) where isCycle {
      reportCycle(among: Set(members), opened)
    }
    checkNesting()
  }

  /// Reports one group, with the shortest cycle through its first reference in the files.
  private mutating func reportCycle(among members: Set<Int>, _ opened: [[NodeReference]]) {
    func inside(_ node: Int) -> [(range: SourceRange, target: Int)] {
      opened[node].compactMap { reference in
        reference.id.flatMap {
          members.contains($0.index) ? (reference.range, $0.index) : nil
        }
      }
    }
    let steps = members.flatMap { node in inside(node).map { (node: node, edge: $0) } }
    guard let first = steps.min(by: { $0.edge.range < $1.edge.range }) else { return }
    var previous = [first.edge.target: first.node]
    var pending = [first.edge.target]
    var position = 0
    while previous[first.node] == nil, position < pending.count {
      let node = pending[position]
      position += 1
      for edge in inside(node) where previous[edge.target] == nil {
        previous[edge.target] = node
        pending.append(edge.target)
      }
    }
    var way = [first.node]
    while let before = previous[way[way.count - 1]], way.count == 1 || way.last != first.node {
      way.append(before)
    }
    let names = way.reversed().map { Wording.printable(manifest.nodes[$0].name.value) }
    report(
      .containerCycle, at: first.edge.range,
      "these containers open one another without end: " + names.joined(separator: " -> "))
  }

  /// Reports the containers that are one level too high, counted from the innermost; those around
  /// them are too deep for the same reason, and are not reported.
  private mutating func checkNesting() {
    let uses = manifest.nodes.map { $0.parts.compactMap { $0.node.id?.index } }
    let components = StronglyConnectedComponents(uses.count) { uses[$0] }
    var heights = Array(repeating: 0, count: components.members.count)
    for (number, members) in components.members.enumerated() {
      guard let node = members.first, !components.isCycle[number], !uses[node].isEmpty else {
        continue
      }
      heights[number] = 1 + (uses[node].map { heights[components.numbers[$0]] }.max() ?? 0)
      if heights[number] == Self.containerLimit + 1 {
        report(
          .tooNested, at: manifest.nodes[node].name.range,
          "this is nested deeper than the limit of \(Self.containerLimit) levels")
      }
    }
  }
}
