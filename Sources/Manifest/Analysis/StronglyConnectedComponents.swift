/// The strongly connected components of a graph, after Tarjan.
///
/// Components are numbered in the order in which they are complete: what a node leads to has the
/// same number as the node, or a lower one.
package struct StronglyConnectedComponents {
  /// The component of each node.
  package private(set) var numbers: [Int]

  /// The nodes of each component; each leads to all others of its component.
  package private(set) var members: [[Int]] = []

  /// Whether the nodes of a component lead back to themselves.
  package private(set) var isCycle: [Bool] = []

  /// Finds the components of a graph of `count` nodes, in which `next` says what a node leads to.
  ///
  /// - Complexity: O(nodes + edges), without recursion.
  package init(_ count: Int, counter: StepCounter, next: (Int) -> [Int]) {
    numbers = Array(repeating: -1, count: count)
    var order = numbers
    var lowest = numbers
    var open: [Int] = []
    var entered = 0
    for root in 0..<count where order[root] < 0 {
      var path: [(node: Int, edges: [Int], position: Int)] = []
      func enter(_ node: Int) {
        order[node] = entered
        lowest[node] = entered
        entered += 1
        open.append(node)
        path.append((node, next(node), 0))
      }
      enter(root)
      while let last = path.indices.last {
        counter.count()
        let node = path[last].node
        if path[last].position < path[last].edges.count {
          let target = path[last].edges[path[last].position]
          path[last].position += 1
          if order[target] < 0 {
            enter(target)
          } else if numbers[target] < 0 {
            lowest[node] = min(lowest[node], order[target])
          }
          continue
        }
        if lowest[node] == order[node] {
          close(node, leadsToItself: path[last].edges.contains(node), &open)
        }
        path.removeLast()
        if let outer = path.last?.node { lowest[outer] = min(lowest[outer], lowest[node]) }
      }
    }
  }

  /// Takes a complete component, whose first node is `node`, off the nodes that are open.
  private mutating func close(_ node: Int, leadsToItself: Bool, _ open: inout [Int]) {
    var component: [Int] = []
    while let member = open.popLast() {
      numbers[member] = members.count
      component.append(member)
      if member == node { break }
    }
    isCycle.append(component.count > 1 || leadsToItself)
    members.append(component)
  }

  /// The nodes that lead back to themselves, in their order.
  package var nodesOnCycles: [Int] {
    numbers.indices.filter { isCycle[numbers[$0]] }
  }
}
