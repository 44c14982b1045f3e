@_spi(Host) internal import AppCore
internal import Diagnostics
internal import Manifest

// Who can be whose presenter, and what can only run in the background.
extension GraphBuilder {
  /// The nodes that can be who pushed or presented an instance of `node`.
  func presenters(of node: Int) -> [Int] {
    var found: Set<Int> = []
    var seen: Set<Int> = [node]
    var pending = [node]
    func inherit(from nodes: [Int]) {
      for node in nodes where seen.insert(node).inserted { pending.append(node) }
    }
    while let entered = pending.popLast() {
      if index.enteredByLinks.contains(entered) { return Array(features.indices) }
      for place in index.steps[entered] ?? [] {
        let route = manifest.routes[place.route]
        let step = route.steps[place.step]
        // After another verb it is what was in front then, which can be anything.
        let isFirst = !route.steps[..<place.step].contains { $0.navigates }
        let sources = isFirst ? index.sources[place.route] : Array(features.indices)
        switch step.verb {
        case .push, .present: found.formUnion(sources)
        case .replace:
          // A replacement inherits; over or from the background, from whatever is current.
          let isOwn =
            step.ifCovered?.value != .over && !sources.contains { index.background.contains($0) }
          inherit(from: isOwn ? sources : Array(features.indices))
        case .select, .popTo, .reset, .notify, .back, .dismiss, .ignore: break
        }
      }
      // A tab's root and a background instance have their container's presenter.
      inherit(from: (index.containers[entered] ?? []) + (index.hosts[entered] ?? []))
    }
    return found.sorted()
  }

  /// The nodes that the layer of an instance of `node` can lie over.
  func openers(of node: Int) -> [Int] {
    guard !index.background.contains(node), !hasUnresolvedNames else {
      return Array(features.indices)
    }
    guard whereabouts.inModal.contains(node) else { return [] }
    return whereabouts.openers?.sorted() ?? Array(features.indices)
  }

  /// Whether instances of `node` are in the background and nowhere else.
  func isOnlyBackground(_ node: Int, countingLinks: Bool = true) -> Bool {
    index.background.contains(node) && manifest.start?.id?.index != node
      && index.containers[node] == nil && !index.enteredByRoutes.contains(node)
      && !(countingLinks && index.enteredByLinks.contains(node))
  }

  /// What each node leads to: what it holds, and what its routes enter.
  func successors() -> [Int: Set<Int>] {
    var next: [Int: Set<Int>] = [:]
    for (index, node) in manifest.nodes.enumerated() {
      next[index, default: []].formUnion(
        (node.tabs + node.background).compactMap { $0.node.id?.index })
    }
    for (number, route) in manifest.routes.enumerated() {
      // A tab that is selected is reached through its container.
      let targets = route.steps.compactMap { step in
        step.makesTarget ? step.target?.id?.index : nil
      }
      for source in index.sources[number] { next[source, default: []].formUnion(targets) }
    }
    return next
  }

  /// What each node can push onto its own stack.
  func pushes() -> [Int: Set<Int>] {
    var result: [Int: Set<Int>] = [:]
    for (number, route) in manifest.routes.enumerated() {
      let targets = route.steps.compactMap { step in
        step.verb == .push && !step.isSingleTop ? step.target?.id?.index : nil
      }
      for source in index.sources[number] { result[source, default: []].formUnion(targets) }
    }
    return result
  }
}

extension Manifest.Step {
  /// Whether the step moves the anchor.
  var navigates: Bool { verb.enters || verb.leaves || verb == .reset }

  /// Whether the step makes an instance of its target.
  fileprivate var makesTarget: Bool { verb != .select && verb.enters || verb == .reset }
}
