@_spi(Host) internal import AppCore
internal import Manifest
internal import Navigation
internal import Support

/// Lookup tables for the checks, built once.
///
/// - Complexity: O(*n*), where *n* is the size of the manifest with the routes for `any` expanded
///   for their emitters.
struct ManifestIndex {
  /// Each route's source nodes; for `any`, the known emitters.
  let sources: [[Int]]
  /// Whether each route is one for `any` whose actions nodes with unknown features may emit.
  let hasUnknownSources: [Bool]
  /// The nodes whose features have a delegate action, by its name.
  let emitters: [String: [Int]]
  /// Nodes that have instances in the background.
  let background: Set<Int>
  /// The containers that have a node as a tab.
  private(set) var containers: [Int: [Int]] = [:]
  private(set) var tabs: [Int: Set<Int>] = [:]
  /// The containers that have a node in the background.
  private(set) var hosts: [Int: [Int]] = [:]
  /// The nodes that routes enter or reset to.
  let enteredByRoutes: Set<Int>
  /// The nodes that steps of links show.
  let enteredByLinks: Set<Int>
  /// The node in front when each node is entered: the node itself, or for a container that of its
  /// first tab.
  let fronts: [Int]

  init(_ manifest: Manifest, _ features: [FeatureInfo?]) {
    var emitters: [String: [Int]] = [:]
    for (node, info) in features.enumerated() {
      for delegate in info?.delegates ?? [] { emitters[delegate.name, default: []].append(node) }
    }
    self.emitters = emitters
    // A second `any` route for an action is already reported.
    var known: Set<String> = []
    sources = manifest.routes.map { route in
      guard route.any != nil else { return route.sources.compactMap { $0.id?.index } }
      let actions = route.actions.filter { known.insert($0.value).inserted }
      return Set(actions.flatMap { emitters[$0.value] ?? [] }).sorted()
    }
    let hasUnknown = zip(manifest.nodes, features).contains { $0.feature != nil && $1 == nil }
    hasUnknownSources = manifest.routes.map { hasUnknown && $0.any != nil }
    for (index, node) in manifest.nodes.enumerated() {
      for tab in node.tabs.compactMap(\.node.id?.index) {
        containers[tab, default: []].append(index)
        tabs[index, default: []].insert(tab)
      }
      for part in node.background.compactMap(\.node.id?.index) {
        hosts[part, default: []].append(index)
      }
    }
    background = Set(manifest.background.compactMap { $0.node.id?.index }).union(hosts.keys)
    enteredByRoutes = Set(
      manifest.routes.flatMap(\.steps).compactMap { step in
        step.verb.enters || step.verb == .reset ? step.target?.id?.index : nil
      })
    enteredByLinks = Set(manifest.links.flatMap(\.open).compactMap { $0.target?.id?.index })
    fronts = manifest.nodes.indices.map { node in
      var front = node
      // Container cycles are already reported.
      for _ in 0..<InstanceFactory.containerLimit {
        guard let first = manifest.nodes[front].tabs.first?.node.id?.index else { break }
        front = first
      }
      return front
    }
  }
}
