@_spi(Host) internal import AppCore
internal import Manifest
internal import Navigation
internal import Support

// Checks of the graph as a whole: what reaches a node, and what can go on without end.
extension GraphBuilder {
  mutating func checkUnrouted(_ routes: [Route]) {
    let routed = Set(routes.map { RouteKey(node: $0.node, action: $0.action) })
    for (index, (node, info)) in zip(manifest.nodes, features).enumerated() {
      // Of a feature that can't be used, the cause is reported.
      guard let info, info.defect == nil, let feature = node.feature else { continue }
      for delegate in info.delegates.map(\.name)
      // A route may misspell this action, which is reported instead.
      where !routed.contains(RouteKey(node: index, action: delegate))
        && !meantActionsOfAny.contains(delegate) && meantActions[index]?.contains(delegate) != true
      {
        report(
          .unroutedDelegate, at: feature.range,
          "no route for \(quote(delegate)) of \(quote(info.name)) at the node "
            + "\(quote(node.name.value)); a route with 'do: ignore' says that nothing happens")
      }
    }
  }

  /// Finds the nodes that can be shown, or run in the background.
  mutating func findReached() {
    let next = successors()
    // The result also contains the entries that follow the nodes.
    func closure(of start: [Int]) -> Set<Int> {
      var pending = start
      var reached = Set(pending)
      while let node = pending.popLast() {
        for target in next[node] where reached.insert(target).inserted { pending.append(target) }
      }
      return reached
    }
    let starts =
      [manifest.start?.id?.index].compactMap { $0 }
      + manifest.background.compactMap { $0.node.id?.index }
    reachedByRoutes = closure(of: starts)
    reached =
      index.enteredByLinks.isSubset(of: reachedByRoutes)
      ? reachedByRoutes : closure(of: starts + index.enteredByLinks)
  }

  /// What each node leads to: its tabs and background, and the targets of its routes.
  ///
  /// The nodes are followed by the routes, so that a long list of nodes does not multiply with a
  /// long list of steps, and by one vertex for what nodes with unknown features may lead to.
  private func successors() -> [[Int]] {
    let count = manifest.nodes.count
    let unknown = count + manifest.routes.count
    var next: [[Int]] = Array(repeating: [], count: unknown + 1)
    for (node, definition) in manifest.nodes.enumerated() {
      next[node] = definition.parts.compactMap { $0.node.id?.index }
      if definition.feature != nil, features[node] == nil { next[node].append(unknown) }
    }
    for (number, route) in manifest.routes.enumerated() {
      // A tab that is selected is reached through its container.
      next[count + number] = route.steps.compactMap { step in
        step.verb != .select && step.verb.enters || step.verb == .reset
          ? step.target?.id?.index : nil
      }
      if index.hasUnknownSources[number] { next[unknown].append(count + number) }
      for source in index.sources[number] { next[source].append(count + number) }
    }
    return next
  }

  /// Reports unreachable nodes, and nodes that can be pushed onto themselves without limit.
  mutating func checkReachability() {
    if let start = manifest.start, start.id != nil, !hasUnresolvedNames {
      reportUnreachable(besides: reached)
      checkRecursion()
      checkMaxDepth()
      return
    }
    // The cause is already reported; but an unused definition is a separate mistake. The start may
    // be meant for any of them, unless its name is near enough to one.
    guard let start = manifest.start, start.id != nil || !manifest.meantNodes.isEmpty else {
      return
    }
    var named = index.enteredByRoutes.union(index.enteredByLinks).union(index.background)
      .union(index.containers.keys)
    if let id = start.id { named.insert(id.index) }
    reportUnreachable(besides: named)
  }

  private mutating func reportUnreachable(besides used: Set<Int>) {
    for node in manifest.nodes
    where !used.contains(node.id.index) && !manifest.meantNodes.contains(node.id) {
      report(
        .unreachableNode, at: node.name.range, "nothing reaches the node \(quote(node.name.value))")
    }
  }

  /// Notes a `maxDepth` of a node that no step adds to a stack.
  private mutating func checkMaxDepth() {
    let limited = manifest.nodes.filter { $0.maxDepth != nil }
    guard !limited.isEmpty else { return }
    let steps = manifest.routes.flatMap(\.steps) + manifest.links.flatMap(\.open)
    let pushed = Set(
      steps.compactMap { step in
        step.isBareNode || [.push, .replace].contains(step.verb) ? step.target?.id : nil
      })
    for node in limited where !pushed.contains(node.id) {
      report(
        .idleMaxDepth, at: node.maxDepth?.range ?? node.range,
        "nothing pushes the node \(quote(node.name.value)), so its 'maxDepth' never applies")
    }
  }

  /// Notes the nodes that can be pushed onto themselves, directly or through others, unless one of
  /// those has a `maxDepth`, and the dialogs that can open over themselves; a `maxDepth` applies to
  /// one stack, so it does not limit them.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the routes: the nodes of a cycle are found
  ///   together.
  private mutating func checkRecursion() {
    let pushes = pushes()
    let cycles = StronglyConnectedComponents(pushes.count) { pushes[$0] }
    let pushed = cycles.nodesOnCycles.filter {
      $0 < manifest.nodes.count && manifest.nodes[$0].maxDepth == nil
    }
    for name in pushed.map({ manifest.nodes[$0].name }) {
      report(
        .unboundedRecursion, at: name.range,
        "the node \(quote(name.value)) can be pushed onto itself without end; "
          + "'maxDepth' sets a limit")
    }
    let openings = openings()
    let components = StronglyConnectedComponents(openings.next.count) { openings.next[$0] }
    // Only cycles that present a dialog; push-only ones were already checked.
    let circles = Set(
      openings.presents.filter { components.numbers[$0.from] == components.numbers[$0.to] }
        .map { components.numbers[$0.to] })
    let known = Set(cycles.nodesOnCycles)
    let dialogs = Set(openings.presents.map(\.to)).sorted()
    for node in dialogs where circles.contains(components.numbers[node]) && !known.contains(node) {
      let name = manifest.nodes[node].name
      report(
        .unboundedRecursion, at: name.range,
        "the dialog \(quote(name.value)) can be opened over itself without end; "
          + "'dismiss' before 'present' closes the one before")
    }
  }

  /// The nodes without a `maxDepth` that each node can push onto its own stack; the routes follow
  /// the nodes.
  private func pushes() -> [[Int]] {
    let count = manifest.nodes.count
    var next: [[Int]] = Array(repeating: [], count: count + manifest.routes.count)
    for (number, route) in manifest.routes.enumerated() {
      let targets = route.steps.compactMap { step in
        step.verb == .push && !step.isSingleTop ? step.target?.id?.index : nil
      }.filter { manifest.nodes[$0].maxDepth == nil }
      guard !targets.isEmpty else { continue }
      next[count + number] = targets
      for source in index.sources[number] { next[source].append(count + number) }
    }
    return next
  }

  /// The nodes that each node can open over itself, as a dialog or on its stack, except after a verb
  /// that leaves it: what each leads to, where the routes follow the nodes, and the routes that open
  /// a dialog, with its node.
  private func openings() -> (next: [[Int]], presents: [(from: Int, to: Int)]) {
    let count = manifest.nodes.count
    var next: [[Int]] = Array(repeating: [], count: count + manifest.routes.count)
    var presents: [(from: Int, to: Int)] = []
    for (number, route) in manifest.routes.enumerated() {
      let staying = route.steps.prefix { step in
        !step.verb.leaves && ![.reset, .replace, .select].contains(step.verb)
      }
      for step in staying where step.verb == .push && !step.isSingleTop || step.verb == .present {
        guard let target = step.target?.id?.index else { continue }
        next[count + number].append(target)
        if step.verb == .present { presents.append((count + number, target)) }
      }
      guard !next[count + number].isEmpty else { continue }
      let actions = Set(route.actions.map(\.value))
      for source in index.sources[number]
      where features[source]?.delegates.contains(where: { actions.contains($0.name) }) ?? true {
        next[source].append(count + number)
      }
    }
    return (next, presents)
  }
}

// The possible receivers of reserved words, and the nodes that can only run in the background.
extension GraphBuilder {
  /// The input actions of the nodes that the layer of an instance of `node` can cover.
  mutating func inputs(ofOpenerOf node: Int) -> InputIndex {
    guard !index.background.contains(node), !hasUnresolvedNames else { return inputsOfAll }
    guard placements.inModal.contains(node) else { return [:] }
    return placements.openers == nil ? inputsOfAll : inputsOfOpeners
  }

  /// Whether instances of `node` are in the background and nowhere else.
  func isOnlyBackground(_ node: Int, countingLinks: Bool = true) -> Bool {
    index.background.contains(node) && manifest.start?.id?.index != node
      && index.containers[node] == nil && !index.enteredByRoutes.contains(node)
      && !(countingLinks && index.enteredByLinks.contains(node))
  }
}
