@_spi(Host) internal import AppCore
internal import Manifest
internal import Support

// Verbs that can never apply, whatever the emitter's position.
extension GraphBuilder {
  /// Checks the verbs of all routes.
  mutating func checkVerbs() {
    // A node whose name is unknown could be anywhere.
    guard !hasUnresolvedNames, manifest.start?.id != nil else { return }
    for (position, route) in manifest.routes.enumerated() {
      let sources = index.sources[position].filter { reached.contains($0) }
      guard !sources.isEmpty else { continue }
      var anchor = placements.anchor(ofRoute: position, from: sources)
      for step in route.steps {
        if case .nodes(let nodes) = anchor { check(step, at: nodes) }
        anchor = placements.anchor(after: step, at: anchor)
      }
    }
  }

  private mutating func check(_ step: Manifest.Step, at nodes: [Int]) {
    switch step.action {
    case .dismiss where !nodes.contains(where: placements.inModal.contains):
      never(step, "\(names(nodes)) can't be in a dialog")
    case .back where !nodes.contains(where: placements.canGoBack.contains):
      never(step, "there is nothing beneath \(names(nodes))")
    case .popTo(.node(let reference)):
      // For a node that nothing reaches, that is the cause.
      guard let node = reference.id?.index, reached.contains(node),
        !placements.canBeOutward(placements.wanted([node]), from: nodes)
      else { return }
      never(step, "'\(reference.name)' can't be on the way back from \(names(nodes))")
    case .select(let reference):
      guard step.ifCovered?.value != .over, let node = reference.id?.index,
        // A node that is not a tab at all is reported with the route.
        let containers = index.containers[node],
        case let wanted = containersWanted(of: node, containers), wanted.isReached,
        !placements.canBeOutward(wanted.wanted, from: nodes)
      else { return }
      never(
        step,
        "\(names(nodes)) can't be in \(names(containers)), which has the tab '\(reference.name)'")
    default: break
    }
  }

  /// The containers that a `select` of a tab searches for; cached.
  private mutating func containersWanted(
    of tab: Int, _ containers: [Int]
  ) -> (wanted: PlacementAnalysis.Wanted, isReached: Bool) {
    if let known = wantedContainers[tab] { return known }
    let made = (placements.wanted(containers), containers.contains(where: reached.contains))
    wantedContainers[tab] = made
    return made
  }

  private mutating func never(_ step: Manifest.Step, _ reason: String) {
    report(.neverApplies(verb: step.verb.rawValue, reason: reason), step.verbRange)
  }

  /// `'a'`, or `'a' and 2 more`.
  private func names(_ nodes: [Int]) -> String {
    let first = nodes.first.map { "'\(manifest.nodes[$0].name.value)'" } ?? "it"
    return nodes.count > 1 ? "\(first) and \(nodes.count - 1) more" : first
  }

  /// Warns about routes for `any` that other routes always take precedence over.
  mutating func checkFires(_ named: Set<RouteKey>) {
    for (position, route) in manifest.routes.enumerated() {
      guard case .any(let range) = route.source else { continue }
      guard !index.sources[position].isEmpty, !index.hasUnknownSources[position] else { continue }
      let isFired = route.actions.contains { action in
        index.emitters[action.value]?.contains { node in
          counter.count()
          return !named.contains(RouteKey(node: node, action: action.value))
        } ?? false
      }
      if !isFired { report(.idleRoute(actions: route.actions.map(\.value)), range) }
    }
  }
}
