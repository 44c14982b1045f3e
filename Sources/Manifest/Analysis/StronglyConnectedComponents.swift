/// The strongly connected components of a graph, found with Tarjan's algorithm.
///
/// Components are numbered in the order in which they are completed: a successor of a node is in
/// the same component or in one with a lower number.
package struct StronglyConnectedComponents {
  package private(set) var numbers: [Int]
  /// The nodes of each component; each is reachable from all others of its component.
  package private(set) var members: [[Int]] = []
  package private(set) var isCycle: [Bool] = []

  /// Finds the components of a graph of `count` nodes, in which `next` returns a node's successors.
  ///
  /// - Complexity: O(*n* + *e*), where *n* is the number of nodes and *e* the number of edges;
  ///   without recursion.
  package init(_ count: Int, next: (Int) -> [Int]) {
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

  /// Pops a completed component, whose root is `node`, from the stack of open nodes.
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

  /// The nodes that are on a cycle, in ascending order.
  package var nodesOnCycles: [Int] {
    numbers.indices.filter { isCycle[numbers[$0]] }
  }
}
