@_spi(Host) internal import AppCore
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

  /// Computes the possible positions.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the manifest with the routes for `any` expanded
  ///   for their emitters.
  init(_ manifest: Manifest, _ index: ManifestIndex) {
    self.index = index
    parents = Array(repeating: [], count: manifest.nodes.count)
    replaced = parents
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
    case .notify, .quit, .ignore: return anchor
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
  func canBeOutward(_ wanted: Wanted, from nodes: [Int]) -> Bool {
    var pending: [Int] = []
    var seen: Set<Int> = []
    func enter(_ nodes: some Sequence<Int>) {
      pending += nodes.filter { components[$0] >= wanted.floor && seen.insert($0).inserted }
    }
    if nodes.contains(where: { wanted.nodes.contains($0) || leadsAnywhere.contains($0) }) {
      return true
    }
    enter(nodes)
    var left = Self.searchLimit
    while let next = pending.popLast() {
      left -= 1 + parents[next].count + replaced[next].count
      if left < 0 || !parents[next].isDisjoint(with: wanted.nodes) { return true }
      enter(parents[next])
      enter(replaced[next])
    }
    return false
  }
}

/// The possible presenters of each node, by feature, for checking notifications.
///
/// The vertices of its dependency graph are the nodes, the routes, and one for all nodes together,
/// so that a route's list of nodes is visited once and not for each node that the route leads to.
struct Presenters {
  /// The possible presenters of an instance of each node.
  private let inputs: [Int: InputIndex]
  private let numbers: [Int]
  private let everyone: InputIndex

  /// - Complexity: O(*n* · *m*), where *n* is the size of the manifest and *m* the number of
  ///   features that it uses.
  init(
    _ manifest: Manifest, _ index: ManifestIndex, _ features: [FeatureInfo?],
    everyone: InputIndex
  ) {
    self.everyone = everyone
    let nodes = manifest.nodes.count
    let all = nodes + manifest.routes.count
    // The features that can be the presenter; `nil` if any node can.
    var direct: [Set<Int>?] = Array(repeating: [], count: all + 1)
    var edges: [[Int]] = Array(repeating: [], count: all + 1)
    edges[all] = Array(0..<nodes)
    var numbers: [String: Int] = [:]
    var known: [FeatureInfo] = []
    let number = features.map { info -> Int? in
      guard let info else { return nil }
      if let number = numbers[info.name] { return number }
      numbers[info.name] = known.count
      known.append(info)
      return known.count - 1
    }
    let ofSources = index.sources.map { Set($0.compactMap { number[$0] }) }
    for node in 0..<nodes {
      if index.enteredByLinks.contains(node) { direct[node] = nil }
      // A tab's root and a background instance have their container's presenter.
      edges[node] = (index.containers[node] ?? []) + (index.hosts[node] ?? [])
    }
    for (number, route) in manifest.routes.enumerated() {
      // A replacement inherits its presenter: that of the emitter or, if the emitter is in the
      // background, that of whatever is current.
      let isOwn =
        !index.hasUnknownSources[number]
        && !index.sources[number].contains { index.background.contains($0) }
      edges[nodes + number] = isOwn ? index.sources[number] : [all]
      // Whether no step before moves the anchor.
      var isFirst = true
      for step in route.steps {
        let node = step.target?.id?.index
        switch step.verb {
        case .push, .present:
          guard let node else { break }
          // After another verb, the presenter is whatever is in front then.
          if !isFirst || index.hasUnknownSources[number] {
            direct[node] = nil
          } else {
            direct[node]?.formUnion(ofSources[number])
          }
        case .replace:
          let isOver = step.ifCovered?.value == .over || !isFirst
          if let node { edges[node].append(isOver ? all : nodes + number) }
        case .select, .popTo, .reset, .notify, .back, .dismiss, .quit, .ignore: break
        }
        if step.verb.enters || step.verb.leaves || step.verb == .reset { isFirst = false }
      }
    }
    let components = StronglyConnectedComponents(all + 1) { edges[$0] }
    var found: [Set<Int>?] = []
    for members in components.members {
      var union: Set<Int>? = []
      func join(_ others: Set<Int>?) {
        if let others { union?.formUnion(others) } else { union = nil }
      }
      for member in members {
        join(direct[member])
        for target in edges[member] where components.numbers[target] < found.count {
          join(found[components.numbers[target]])
        }
      }
      found.append(union)
    }
    self.numbers = components.numbers
    var inputs: [Int: InputIndex] = [:]
    var bySet: [Set<Int>: InputIndex] = [:]
    for case (let component, let features?) in found.enumerated() {
      let index = bySet[features] ?? InputIndex(features.sorted().map { known[$0] })
      bySet[features] = index
      inputs[component] = index
    }
    self.inputs = inputs
  }

  /// The input actions of the possible presenters of an instance of `node`.
  func inputs(of node: Int) -> InputIndex { inputs[numbers[node]] ?? everyone }
}

/// The features that have each input action, in the order of their nodes.
typealias InputIndex = [String: [(feature: FeatureInfo, input: CaseSchema)]]

extension InputIndex {
  /// Creates an index of the features of some nodes; each feature counts once, however many nodes
  /// have it.
  ///
  /// - Complexity: O(*n* + *m*), where *n* is the number of nodes and *m* that of the input actions
  ///   of their features.
  init(_ features: some Sequence<FeatureInfo?>) {
    self = [:]
    var seen: Set<String> = []
    for case let feature? in features where seen.insert(feature.name).inserted {
      for input in feature.inputs { self[input.name, default: []].append((feature, input)) }
    }
  }
}
