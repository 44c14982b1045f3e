internal import Diagnostics
internal import Manifest

/// Where instances of each node can stand, told by the routes and links that show them.
///
/// It says too much rather than too little: what it leaves out can't happen, unless a person opens
/// a position that no route leads to.
struct Whereabouts {
  /// Where a step acts: one of these nodes, or whatever is in front then.
  enum Anchor {
    case nodes([Int])
    case anything
  }

  /// What can be right beneath, around or under the layer of each node.
  private var outward: [Set<Int>]
  /// The nodes in whose place each can be put.
  private var replaced: [Set<Int>]
  /// The nodes that can stand on anything.
  private var loose: Set<Int> = []
  /// The nodes that modals can lie over; `nil` where it can be any.
  private(set) var openers: Set<Int>? = []
  /// The nodes of which instances can be in a modal.
  private(set) var inModal: Set<Int> = []
  /// The nodes from which something can be gone back to.
  private(set) var canGoBack: Set<Int> = []

  private let index: ManifestIndex
  private var closures: [Int: Closure] = [:]

  private enum Closure {
    case anything
    case nodes(Set<Int>)
  }

  init(_ manifest: Manifest, _ index: ManifestIndex) {
    self.index = index
    outward = Array(repeating: [], count: manifest.nodes.count)
    replaced = outward
    for (node, containers) in index.containers { outward[node].formUnion(containers) }
    for (position, route) in manifest.routes.enumerated() {
      follow(route.steps, from: Self.anchor(of: index.sources[position], index))
    }
    for link in manifest.links { follow(link.open, from: .nodes([])) }
    spread()
  }

  /// Where a route's first step acts.
  static func anchor(of sources: [Int], _ index: ManifestIndex) -> Anchor {
    sources.contains { index.background.contains($0) } ? .anything : .nodes(sources)
  }

  /// Where the step after `step` acts.
  func anchor(after step: Manifest.Step, at anchor: Anchor) -> Anchor {
    let target = step.target?.id?.index
    switch step.verb {
    case .push, .present, .replace, .reset:
      return target.map { .nodes([index.fronts[$0]]) } ?? .anything
    case .popTo:
      guard let target, !step.isInclusive, index.fronts[target] == target else { return .anything }
      return .nodes([target])
    case .select, .back, .dismiss: return .anything
    case .notify, .ignore: return anchor
    }
  }

  /// Where an entering step acts: over what is in front, where it says so.
  static func entering(_ step: Manifest.Step, at anchor: Anchor) -> Anchor {
    step.ifCovered?.value == .over ? .anything : anchor
  }

  private mutating func follow(_ steps: [Manifest.Step], from start: Anchor) {
    var anchor = start
    for step in steps {
      if let target = step.target?.id?.index {
        switch (step.verb, Self.entering(step, at: anchor)) {
        case (.push, .nodes(let nodes)):
          let isAnew = nodes.filter { !(step.isSingleTop && $0 == target) }
          outward[target].formUnion(isAnew)
          if !isAnew.isEmpty { canGoBack.insert(target) }
        case (.present, .nodes(let nodes)):
          outward[target].formUnion(nodes)
          openers?.formUnion(nodes)
          inModal.insert(target)
          canGoBack.insert(target)
        case (.replace, .nodes(let nodes)): replaced[target].formUnion(nodes)
        case (.push, .anything), (.replace, .anything):
          loose.insert(target)
          canGoBack.insert(target)
        case (.present, .anything):
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

  /// What holds of a node holds of what stands on it, in it and in its place.
  private mutating func spread() {
    var above: [[Int]] = Array(repeating: [], count: outward.count)
    var within = above
    for node in outward.indices {
      for outer in outward[node] { above[outer].append(node) }
      for other in replaced[node] {
        above[other].append(node)
        within[other].append(node)
      }
    }
    for (node, containers) in index.containers {
      for container in containers { within[container].append(node) }
    }
    if !inModal.isEmpty { inModal.formUnion(loose) }
    Self.spread(&inModal, along: above)
    Self.spread(&canGoBack, along: within)
  }

  private static func spread(_ set: inout Set<Int>, along edges: [[Int]]) {
    var pending = Array(set)
    while let node = pending.popLast() {
      for next in edges[node] where set.insert(next).inserted { pending.append(next) }
    }
  }

  /// Whether an instance of one of `wanted` can be on the way outward from one of `nodes`, that
  /// one itself included.
  mutating func canBeOutward(_ wanted: [Int], from nodes: [Int]) -> Bool {
    nodes.contains { node in
      switch closure(of: node) {
      case .anything: true
      case .nodes(let set): wanted.contains { set.contains($0) }
      }
    }
  }

  private mutating func closure(of node: Int) -> Closure {
    if let known = closures[node] { return known }
    var found: Set<Int> = [node]
    var seen: Set<Int> = [node]
    var pending = [node]
    var result: Closure?
    while let next = pending.popLast(), result == nil {
      if loose.contains(next) { result = .anything }
      for outer in outward[next] {
        found.insert(outer)
        if seen.insert(outer).inserted { pending.append(outer) }
      }
      for other in replaced[next] where seen.insert(other).inserted { pending.append(other) }
    }
    closures[node] = result ?? .nodes(found)
    return result ?? .nodes(found)
  }
}
