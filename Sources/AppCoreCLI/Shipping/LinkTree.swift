/// The links of an archive in a tree of names, so that a path is followed name by name.
///
/// The links on the way along a path are found in time that is linear in its length.
struct LinkTree {
  private struct Child: Hashable {
    let parent: Int
    let name: String
  }

  static let root = 0
  private var nodes: [Child: Int] = [:]
  private var links: Set<Int> = []

  mutating func insert(_ path: [String]) {
    var node = Self.root
    for name in path {
      let child = Child(parent: node, name: name)
      node = nodes[child] ?? nodes.count + 1
      nodes[child] = node
    }
    links.insert(node)
  }

  /// The node of a name in a folder; -1 if no link has that name or is below it.
  func node(_ name: String, in parent: Int) -> Int {
    nodes[Child(parent: parent, name: name)] ?? -1
  }

  func isLink(_ node: Int) -> Bool { links.contains(node) }
}
