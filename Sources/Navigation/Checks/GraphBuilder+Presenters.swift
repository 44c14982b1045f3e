internal import AppCore
internal import AppCoreRuntime
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
      if manifest.links.contains(where: { $0.open.contains { $0.target?.id?.index == entered } }) {
        return Array(features.indices)
      }
      for route in manifest.routes {
        for (position, step) in route.steps.enumerated()
        where step.target?.id?.index == entered {
          // After another verb it is what was in front then, which can be anything.
          let isFirst = !route.steps[..<position].contains { $0.navigates }
          let sources = isFirst ? self.sources(of: route) : Array(features.indices)
          switch step.verb {
          case .push, .present: found.formUnion(sources)
          case .replace:
            // A replacement inherits; over or from the background, from whatever is current.
            let isOwn = step.ifCovered?.value != .over && !sources.contains(where: isBackground)
            inherit(from: isOwn ? sources : Array(features.indices))
          case .select, .popTo, .reset, .notify, .back, .dismiss, .ignore: break
          }
        }
      }
      // A tab's root and a background instance have their container's presenter.
      inherit(
        from: manifest.nodes.indices.filter { container in
          let definition = manifest.nodes[container]
          return (definition.tabs + definition.background).contains {
            $0.node.id?.index == entered
          }
        })
    }
    return found.sorted()
  }

  private func sources(of route: Manifest.Route) -> [Int] {
    switch route.source {
    case .nodes(let nodes): return nodes.compactMap { $0.id?.index }
    case .any:
      let actions = Set(route.actions.map(\.value))
      return features.indices.filter { node in
        features[node]?.delegates.contains { actions.contains($0.name) }
          ?? (manifest.nodes[node].feature != nil)
      }
    }
  }

  private func isBackground(_ node: Int) -> Bool {
    (manifest.background + manifest.nodes.flatMap(\.background)).contains {
      $0.node.id?.index == node
    }
  }

  /// Whether instances of `node` are in the background and nowhere else.
  func isOnlyBackground(_ node: Int) -> Bool {
    guard isBackground(node), manifest.start?.id?.index != node else { return false }
    if manifest.nodes.contains(where: { $0.tabs.contains { $0.node.id?.index == node } }) {
      return false
    }
    let steps = manifest.routes.flatMap(\.steps) + manifest.links.flatMap(\.open)
    return !steps.contains { step in
      (step.verb.enters || step.verb == .reset) && step.target?.id?.index == node
    }
  }

  /// What each node leads to: what it holds, and what its routes enter.
  func successors() -> [Int: Set<Int>] {
    var next: [Int: Set<Int>] = [:]
    for (index, node) in manifest.nodes.enumerated() {
      next[index, default: []].formUnion(
        (node.tabs + node.background).compactMap { $0.node.id?.index })
    }
    for route in manifest.routes {
      // A tab that is selected is reached through its container.
      let targets = route.steps.compactMap { step in
        step.makesTarget ? step.target?.id?.index : nil
      }
      for source in sources(of: route) { next[source, default: []].formUnion(targets) }
    }
    return next
  }

  /// What each node can push onto its own stack.
  func pushes() -> [Int: Set<Int>] {
    var result: [Int: Set<Int>] = [:]
    for route in manifest.routes {
      let targets = route.steps.compactMap { step in
        step.verb == .push && !step.isSingleTop ? step.target?.id?.index : nil
      }
      for source in sources(of: route) { result[source, default: []].formUnion(targets) }
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
