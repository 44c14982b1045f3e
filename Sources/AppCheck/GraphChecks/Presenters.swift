@_spi(Host) internal import AppCore
internal import Manifest
internal import Support

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
        case .select, .popTo, .reset, .notify, .back, .dismiss, .ignore: break
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
