internal import Manifest
internal import Support

/// The possible positions of each node's instances, derived from the routes and links that show
/// them.
///
/// It overestimates: a position that it excludes can't occur, unless the user opens a position that
/// no route leads to.
struct PlacementAnalysis {
  /// Where a step acts: on one of these nodes, or `nil` for whatever is in front.
  typealias Anchor = [Int]?

  /// Each node's possible parents: beneath it, around it or under its layer.
  private var parents: [Set<Int>]
  private var replaced: [Set<Int>]
  /// The nodes that can be on top of anything.
  private var loose: Set<Int> = []
  /// The nodes that modals can cover; `nil` if they can cover any node.
  private(set) var openers: Set<Int>? = []
  /// The nodes that can have instances in a modal.
  private(set) var inModal: Set<Int> = []
  /// The nodes from which `back` can lead somewhere.
  private(set) var canGoBack: Set<Int> = []

  private let index: ManifestIndex
  private var components: [Int] = []
  /// The nodes in `loose`, and those with an ancestor there.
  private var leadsAnywhere: Set<Int> = []
  /// The last search that visited each node.
  private var seen: [Int]
  private var search = 0

  /// Computes the possible positions.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the manifest with the routes for `any` expanded
  ///   for their emitters.
  init(_ manifest: Manifest, _ index: ManifestIndex) {
    self.index = index
    parents = Array(repeating: [], count: manifest.nodes.count)
    replaced = parents
    seen = Array(repeating: 0, count: manifest.nodes.count)
    for (node, containers) in index.containers { parents[node].formUnion(containers) }
    for (position, route) in manifest.routes.enumerated() {
      follow(route.steps, from: anchor(ofRoute: position, from: index.sources[position]))
    }
    for link in manifest.links { follow(link.open, from: []) }
    spread()
  }

  func anchor(ofRoute route: Int, from sources: [Int]) -> Anchor {
    let isAnything =
      index.hasUnknownSources[route] || sources.contains { index.background.contains($0) }
    return isAnything ? nil : sources
  }

  func anchor(after step: Manifest.Step, at anchor: Anchor) -> Anchor {
    let target = step.target?.id?.index
    switch step.verb {
    case .push, .present, .replace, .reset:
      return target.map { [index.fronts[$0]] }
    case .popTo:
      guard let target, !step.isInclusive, index.fronts[target] == target else { return nil }
      return [target]
    case .select, .back, .dismiss: return nil
    case .notify, .ignore: return anchor
    }
  }

  private mutating func follow(_ steps: [Manifest.Step], from start: Anchor) {
    var anchor = start
    for step in steps {
      if let target = step.target?.id?.index {
        // With `ifCovered: over`, the step acts on whatever is in front.
        switch (step.verb, step.ifCovered?.value == .over ? nil : anchor) {
        case (.push, let nodes?):
          let isAnew = nodes.filter { !(step.isSingleTop && $0 == target) }
          parents[target].formUnion(isAnew)
          if !isAnew.isEmpty { canGoBack.insert(target) }
        case (.present, let nodes?):
          parents[target].formUnion(nodes)
          openers?.formUnion(nodes)
          inModal.insert(target)
          canGoBack.insert(target)
        case (.replace, let nodes?): replaced[target].formUnion(nodes)
        case (.push, nil), (.replace, nil):
          loose.insert(target)
          canGoBack.insert(target)
        case (.present, nil):
          loose.insert(target)
          openers = nil
          inModal.insert(target)
          canGoBack.insert(target)
        default: break
        }
      }
      anchor = self.anchor(after: step, at: anchor)
    }
  }

  /// Propagates facts from a node to those above, inside or replacing it.
  private mutating func spread() {
    var above: [[Int]] = Array(repeating: [], count: parents.count)
    var within = above
    for node in parents.indices {
      for outer in parents[node] { above[outer].append(node) }
      for other in replaced[node] {
        above[other].append(node)
        within[other].append(node)
      }
    }
    for (node, containers) in index.containers {
      for container in containers { within[container].append(node) }
    }
    if !inModal.isEmpty { inModal.formUnion(loose) }
    spread(&inModal, along: above)
    spread(&canGoBack, along: within)
    leadsAnywhere = loose
    spread(&leadsAnywhere, along: above)
    components =
      StronglyConnectedComponents(parents.count) { node in
        Array(parents[node]) + Array(replaced[node])
      }.numbers
  }

  private func spread(_ set: inout Set<Int>, along edges: [[Int]]) {
    var pending = Array(set)
    while let node = pending.popLast() {
      for next in edges[node] where set.insert(next).inserted { pending.append(next) }
    }
  }

  /// The ancestors to search for, and their lowest component: nodes in lower ones do not lead to
  /// them.
  typealias Wanted = (nodes: Set<Int>, floor: Int)

  func wanted(_ nodes: [Int]) -> Wanted {
    (Set(nodes), nodes.map { components[$0] }.min() ?? 0)
  }

  /// The visit limit of one search: longer than any path people write.
  private static let searchLimit = 1_000

  /// Whether a wanted node can be an ancestor of `nodes`, or one of them.
  ///
  /// A search that reaches the limit returns `true`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of `nodes`; the search itself is limited.
  mutating func canBeOutward(_ wanted: Wanted, from nodes: [Int]) -> Bool {
    search += 1
    var pending: [Int] = []
    for node in nodes {
      if wanted.nodes.contains(node) || leadsAnywhere.contains(node) { return true }
      enter(node, &pending, wanted)
    }
    var left = Self.searchLimit
    while let next = pending.popLast() {
      left -= 1 + parents[next].count + replaced[next].count
      if left < 0 || !parents[next].isDisjoint(with: wanted.nodes) { return true }
      for outer in parents[next] { enter(outer, &pending, wanted) }
      for other in replaced[next] { enter(other, &pending, wanted) }
    }
    return false
  }

  private mutating func enter(_ node: Int, _ pending: inout [Int], _ wanted: Wanted) {
    guard seen[node] != search, components[node] >= wanted.floor else { return }
    seen[node] = search
    pending.append(node)
  }
}
