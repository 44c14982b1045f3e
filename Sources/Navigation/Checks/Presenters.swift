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

  /// The features that can be the presenter of a component of the dependency graph.
  private struct Found {
    var features: Set<Int> = []
    /// Whether any node can be the presenter.
    var isAnyone = false
  }

  /// - Complexity: O(*n* · *m*), where *n* is the size of the manifest and *m* the number of
  ///   features that it uses.
  init(
    _ manifest: Manifest, _ index: ManifestIndex, _ features: [FeatureInfo?],
    everyone: InputIndex, _ counter: StepCounter
  ) {
    self.everyone = everyone
    let nodes = manifest.nodes.count
    let all = nodes + manifest.routes.count
    var direct = Array(repeating: Found(), count: all + 1)
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
    for route in manifest.routes.indices {
      // A replacement inherits its presenter: that of the emitter or, if the emitter is in the
      // background, that of whatever is current.
      let isOwn =
        !index.hasUnknownSources[route]
        && !index.sources[route].contains { index.background.contains($0) }
      edges[nodes + route] = isOwn ? index.sources[route] : [all]
      counter.count(index.sources[route].count)
    }
    for node in 0..<nodes {
      if index.enteredByLinks.contains(node) { direct[node].isAnyone = true }
      for place in index.steps[node] ?? [] {
        counter.count()
        let step = manifest.routes[place.route].steps[place.step]
        switch step.verb {
        case .push, .present:
          // After another verb, the presenter is whatever is in front then.
          if !place.isFirst || index.hasUnknownSources[place.route] {
            direct[node].isAnyone = true
          } else {
            direct[node].features.formUnion(ofSources[place.route])
          }
        case .replace:
          let isOver = step.ifCovered?.value == .over || !place.isFirst
          edges[node].append(isOver ? all : nodes + place.route)
        case .select, .popTo, .reset, .notify, .back, .dismiss, .ignore: break
        }
      }
      // A tab's root and a background instance have their container's presenter.
      edges[node] += (index.containers[node] ?? []) + (index.hosts[node] ?? [])
    }
    let components = StronglyConnectedComponents(all + 1, counter: counter) { edges[$0] }
    var found: [Found] = []
    for members in components.members {
      var union = Found()
      for member in members {
        counter.count(1 + edges[member].count)
        union.isAnyone = union.isAnyone || direct[member].isAnyone
        union.features.formUnion(direct[member].features)
        for target in edges[member] where components.numbers[target] < found.count {
          union.isAnyone = union.isAnyone || found[components.numbers[target]].isAnyone
          union.features.formUnion(found[components.numbers[target]].features)
        }
      }
      found.append(union)
    }
    self.numbers = components.numbers
    var inputs: [Int: InputIndex] = [:]
    var bySet: [Set<Int>: InputIndex] = [:]
    for (component, found) in found.enumerated() where !found.isAnyone {
      let index = bySet[found.features] ?? InputIndex(found.features.sorted().map { known[$0] })
      bySet[found.features] = index
      inputs[component] = index
    }
    self.inputs = inputs
  }

  /// The input actions of the possible presenters of an instance of `node`.
  func inputs(of node: Int) -> InputIndex { inputs[numbers[node]] ?? everyone }
}

/// The features that have each input action.
struct InputIndex {
  /// A feature, and one of its input actions.
  typealias Entry = (feature: FeatureInfo, input: CaseSchema)

  private let entries: [String: [Entry]]

  /// Creates an index of the features of some nodes; each feature counts once, however many nodes
  /// have it.
  ///
  /// - Complexity: O(*n* + *m*), where *n* is the number of nodes and *m* that of the input actions
  ///   of their features.
  init(_ features: some Sequence<FeatureInfo?>) {
    var seen: Set<String> = []
    var entries: [String: [Entry]] = [:]
    for case let feature? in features where seen.insert(feature.name).inserted {
      for input in feature.inputs { entries[input.name, default: []].append((feature, input)) }
    }
    self.entries = entries
  }

  /// The names of all input actions, sorted.
  var names: [String] { entries.keys.sorted() }

  /// The features that have an input action of this name, in the order of their nodes.
  subscript(input: String) -> [Entry] { entries[input] ?? [] }
}
