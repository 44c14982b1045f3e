/// The links of an archive in a tree of names, so that a path is followed name by name.
///
/// The links on the way along a path are found in time that is linear in its length.
struct LinkTree {
  static let root = 0
  /// The children of each node by their names.
  private var nodes: [[String: Int]] = [[:]]
  private var links: Set<Int> = []

  mutating func insert(_ path: [String]) {
    var node = Self.root
    for name in path {
      if let child = nodes[node][name] {
        node = child
      } else {
        nodes[node][name] = nodes.count
        node = nodes.count
        nodes.append([:])
      }
    }
    links.insert(node)
  }

  /// The node of a name in a folder; `nil` if no link has that name or is below it.
  func node(_ name: String, in parent: Int?) -> Int? { parent.flatMap { nodes[$0][name] } }

  func isLink(_ node: Int?) -> Bool { node.map(links.contains) ?? false }
}
