internal import AppCore
internal import AppCoreRuntime
internal import Manifest

extension GraphBuilder {
  /// Reports the delegate actions that nothing is done for.
  mutating func checkUnrouted(_ routes: [Route]) {
    let routed = Set(routes.map { RouteKey(node: $0.node, action: $0.action) })
    for (index, (node, info)) in zip(manifest.nodes, features).enumerated() {
      guard let info, let feature = node.feature else { continue }
      for delegate in info.delegates {
        guard !routed.contains(RouteKey(node: index, action: delegate.name)) else { continue }
        // A misspelt action of this node is the cause, and is reported where it stands.
        if isMisspelt(delegate.name, node: index, info) { continue }
        report(
          .unroutedDelegate(delegate.name, node: node.name.value, feature: info.name),
          feature.range)
      }
    }
  }

  private func isMisspelt(_ delegate: String, node: Int, _ info: FeatureInfo) -> Bool {
    let names = info.delegates.map(\.name)
    let all = Set(features.flatMap { $0?.delegates.map(\.name) ?? [] }).sorted()
    return manifest.routes.contains { route in
      guard case .nodes(let sources) = route.source else {
        return route.actions.contains { action in
          !all.contains(action.value) && NearestName.of(action.value, among: all) == delegate
        }
      }
      guard sources.contains(where: { $0.id?.index == node || $0.id == nil }) else { return false }
      return route.actions.contains { action in
        !names.contains(action.value)
          ? NearestName.of(action.value, among: names) == delegate
          : sources.contains { $0.id == nil } && action.value == delegate
      }
    }
  }

  /// Reports nodes that nothing reaches, and those that can stand on themselves without limit.
  mutating func checkReachability() {
    // Without a start, or with a name that is not defined, the cause is reported already.
    guard let start = manifest.start?.id, !hasUnresolvedNames else { return }
    let next = successors()
    var pending = [start.index] + manifest.background.compactMap { $0.node.id?.index }
    pending += manifest.links.flatMap { $0.open.compactMap { $0.target?.id?.index } }
    var reached = Set(pending)
    while let node = pending.popLast() {
      for target in next[node] ?? [] where reached.insert(target).inserted {
        pending.append(target)
      }
    }
    for (index, node) in manifest.nodes.enumerated() where !reached.contains(index) {
      report(.unreachableNode(node.name.value), node.name.range)
    }
    checkRecursion()
  }

  private var hasUnresolvedNames: Bool {
    manifest.routes.contains { route in
      route.source.nodes.contains { $0.id == nil }
        || route.steps.contains { $0.target != nil && $0.target?.id == nil }
    }
      || (manifest.background + manifest.nodes.flatMap { $0.tabs + $0.background })
        .contains { $0.node.id == nil }
      || manifest.links.flatMap(\.open).contains { $0.target != nil && $0.target?.id == nil }
  }

  /// Notes the nodes that can be pushed onto themselves, directly or through others.
  private mutating func checkRecursion() {
    let pushes = pushes()
    for (index, node) in manifest.nodes.enumerated() where node.maxDepth == nil {
      var seen: Set<Int> = []
      var pending = Array(pushes[index] ?? [])
      while let next = pending.popLast() {
        if seen.insert(next).inserted { pending += pushes[next] ?? [] }
      }
      if seen.contains(index) { report(.unboundedRecursion(node.name.value), node.name.range) }
    }
  }
}
