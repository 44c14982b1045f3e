@_spi(Host) internal import AppCore
internal import Manifest
internal import Support

extension GraphBuilder {
  /// Reports delegate actions without a route.
  mutating func checkUnrouted(_ routes: [Route]) {
    let routed = Set(routes.map { RouteKey(node: $0.node, action: $0.action) })
    for (index, (node, info)) in zip(manifest.nodes, features).enumerated() {
      // Of a feature that can't be used, the cause is reported.
      guard let info, info.defect == nil, let feature = node.feature else { continue }
      for delegate in info.delegates {
        guard !routed.contains(RouteKey(node: index, action: delegate.name)) else { continue }
        // A route misspells this action, which is reported instead.
        if isMisspelt(delegate.name, node: index) { continue }
        report(
          .unroutedDelegate(delegate.name, node: node.name.value, feature: info.name),
          feature.range)
      }
    }
  }

  private func isMisspelt(_ delegate: String, node: Int) -> Bool {
    meant.byNode[node]?.contains(delegate) ?? false || meant.byAny.contains(delegate)
  }

  /// The nodes that can be shown, or run in the background.
  mutating func findReached() {
    let next = successors()
    // The result also contains the entries that follow the nodes.
    func closure(of start: [Int]) -> Set<Int> {
      var pending = start
      var reached = Set(pending)
      while let node = pending.popLast() {
        counter.count(1 + next[node].count)
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

  /// Reports unreachable nodes, and nodes that can be pushed onto themselves without limit.
  mutating func checkReachability() {
    // Without a start, or with a name that is not defined, the cause is already reported.
    guard manifest.start?.id != nil else { return checkUnnamed() }
    guard !hasUnresolvedNames else { return checkUnnamed() }
    for (index, node) in manifest.nodes.enumerated()
    where !reached.contains(index) && !manifest.meantNodes.contains(node.id) {
      report(.unreachableNode(node.name.value), node.name.range)
    }
    checkRecursion()
    checkMaxDepth()
  }

  /// Notes a `maxDepth` of a node that no step adds to a stack.
  private mutating func checkMaxDepth() {
    let limited = manifest.nodes.indices.filter { manifest.nodes[$0].maxDepth != nil }
    guard !limited.isEmpty else { return }
    let steps = manifest.routes.flatMap(\.steps) + manifest.links.flatMap(\.open)
    counter.count(steps.count)
    let pushed = Set(
      steps.compactMap { step in
        step.isBareNode || [.push, .replace].contains(step.verb) ? step.target?.id?.index : nil
      })
    for index in limited where !pushed.contains(index) {
      let node = manifest.nodes[index]
      guard let limit = node.maxDepth else { continue }
      report(.idleMaxDepth(node.name.value), limit.range)
    }
  }

  /// Reports nodes that nothing refers to, when some names are unresolved: an unused definition is
  /// a separate mistake from an undefined name.
  private mutating func checkUnnamed() {
    var named = index.enteredByRoutes.union(index.enteredByLinks).union(index.background)
      .union(index.containers.keys)
    // The start may be meant for any of them, unless its name is near enough to one.
    guard let start = manifest.start, start.id != nil || !manifest.meantNodes.isEmpty else {
      return
    }
    if let id = start.id { named.insert(id.index) }
    for (index, node) in manifest.nodes.enumerated()
    where !named.contains(index) && !manifest.meantNodes.contains(node.id) {
      report(.unreachableNode(node.name.value), node.name.range)
    }
  }

  static func hasUnresolvedNames(_ manifest: Manifest) -> Bool {
    manifest.routes.contains { route in
      route.source.nodes.contains { $0.id == nil }
        || route.steps.contains { $0.target != nil && $0.target?.id == nil }
    }
      || (manifest.background + manifest.nodes.flatMap { $0.tabs + $0.background })
        .contains { $0.node.id == nil }
      || manifest.links.flatMap(\.open).contains { $0.target != nil && $0.target?.id == nil }
  }

  /// Notes the nodes that can be pushed onto themselves, directly or through others, unless one of
  /// those has a `maxDepth`.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the routes: the nodes of a cycle are found
  ///   together.
  private mutating func checkRecursion() {
    let limited = Set(
      manifest.nodes.indices.filter { manifest.nodes[$0].maxDepth != nil })
    let pushes = pushes(without: limited)
    let components = StronglyConnectedComponents(pushes.count, counter: counter) { pushes[$0] }
    for node in components.nodesOnCycles
    where node < manifest.nodes.count && !limited.contains(node) {
      report(.unboundedRecursion(manifest.nodes[node].name.value), manifest.nodes[node].name.range)
    }
    checkPresentation(without: components.nodesOnCycles)
  }

  /// Notes the dialogs that can open over themselves, directly or through others; a `maxDepth`
  /// applies to one stack, so it does not limit them.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the routes.
  private mutating func checkPresentation(without pushed: [Int]) {
    let known = Set(pushed)
    let entries = presentations()
    let components = StronglyConnectedComponents(entries.next.count, counter: counter) {
      entries.next[$0]
    }
    // Only cycles that present a dialog; push-only ones were already checked.
    let circles = Set(
      entries.presents.filter { components.numbers[$0.from] == components.numbers[$0.to] }
        .map { components.numbers[$0.to] })
    for node in manifest.nodes.indices
    where circles.contains(components.numbers[node]) && !known.contains(node)
      && entries.presented.contains(node)
    {
      report(.unboundedDialogs(manifest.nodes[node].name.value), manifest.nodes[node].name.range)
    }
  }
}
