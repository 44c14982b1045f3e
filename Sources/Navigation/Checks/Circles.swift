/// Finds what lies on circles of a graph, after Tarjan's strongly connected components.
enum Circles {
  /// The nodes, of `count`, that lead back to themselves, in their order.
  ///
  /// - Complexity: O(nodes + edges), without recursion.
  static func nodes(_ count: Int, next: (Int) -> [Int]) -> [Int] {
    var order = Array(repeating: -1, count: count)
    var lowest = order
    var isOpen = Array(repeating: false, count: count)
    var open: [Int] = []
    var found: [Int] = []
    var number = 0
    for root in 0..<count where order[root] < 0 {
      var path: [(node: Int, edges: [Int], position: Int)] = []
      func enter(_ node: Int) {
        order[node] = number
        lowest[node] = number
        number += 1
        open.append(node)
        isOpen[node] = true
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
          } else if isOpen[target] {
            lowest[node] = min(lowest[node], order[target])
          }
          continue
        }
        if lowest[node] == order[node] {
          var component: [Int] = []
          while let member = open.popLast() {
            isOpen[member] = false
            component.append(member)
            if member == node { break }
          }
          if component.count > 1 || path[last].edges.contains(node) { found += component }
        }
        path.removeLast()
        if let outer = path.last?.node { lowest[outer] = min(lowest[outer], lowest[node]) }
      }
    }
    return found.sorted()
  }
}
