internal import Support

/// Resolves references to nodes, and reports names that are not defined.
struct NameResolver {
  private let ids: [String: NodeID]
  private let names: [String]
  private let isIncomplete: Bool
  private var suggestions: Suggestions
  /// The names that are not defined; each is reported once, at its first use.
  private var unknown: [String: Unknown] = [:]
  /// The nodes that a reference names.
  private var named: Set<NodeID> = []

  /// A name that is not defined.
  private struct Unknown {
    /// The places of its uses.
    var ranges: [SourceRange]
    /// The words that are allowed there besides the names of nodes.
    let words: [String]
  }

  /// Resolves all references of a draft.
  static func resolve(_ draft: inout Draft) {
    var resolver = NameResolver(draft)
    resolver.resolveAll(in: &draft.manifest)
    resolver.report(to: &draft)
    draft.suggestions = resolver.suggestions
  }

  private init(_ draft: Draft) {
    ids = draft.manifest.nodeIDs
    names = draft.manifest.nodes.map(\.name.value)
    isIncomplete = draft.isIncomplete
    suggestions = draft.suggestions
  }

  private mutating func resolveAll(in manifest: inout Manifest) {
    if var start = manifest.start {
      resolve(&start)
      manifest.start = start
    }
    for index in manifest.background.indices { resolve(&manifest.background[index].node) }
    for index in manifest.nodes.indices {
      guard case .container(var tabs, var background) = manifest.nodes[index].content else {
        continue
      }
      for tab in tabs.indices { resolve(&tabs[tab].node) }
      for use in background.indices { resolve(&background[use].node) }
      manifest.nodes[index].content = .container(tabs: tabs, background: background)
    }
    for index in manifest.routes.indices {
      if case .nodes(var nodes) = manifest.routes[index].source {
        manifest.routes[index].source = .nodes([])
        for node in nodes.indices { resolve(&nodes[node], orOneOf: ["any"]) }
        manifest.routes[index].source = .nodes(nodes)
      }
      for step in manifest.routes[index].steps.indices {
        resolve(&manifest.routes[index].steps[step])
      }
    }
    for index in manifest.links.indices {
      for step in manifest.links[index].open.indices {
        resolve(&manifest.links[index].open[step])
      }
      if var needs = manifest.links[index].needs {
        resolve(&needs)
        manifest.links[index].needs = needs
      }
    }
    chooseVerbsOfLinks(in: &manifest)
  }

  private mutating func resolve(_ step: inout Manifest.Step) {
    guard var node = step.target else { return }
    let words: [String] =
      switch step.verb {
      case .notify: Grammar.receivers
      case .popTo: ["root"]
      default: []
      }
    resolve(&node, orOneOf: words)
    step.action = step.action.retargeted(to: node)
  }

  private mutating func resolve(_ reference: inout NodeReference, orOneOf words: [String] = []) {
    reference.id = ids[reference.name]
    if let id = reference.id { named.insert(id) }
    guard reference.id == nil, !isIncomplete else { return }
    unknown[reference.name, default: Unknown(ranges: [], words: words)].ranges
      .append(reference.range)
  }

  /// Reports each name that is not defined at its first use.
  private mutating func report(to draft: inout Draft) {
    let uses = unknown.map { (name: $0, ranges: $1.ranges.sorted(), words: $1.words) }
    for use in uses.sorted(by: { $0.ranges[0] < $1.ranges[0] }) {
      let name = use.name
      // The node may be one of those that were skipped.
      if draft.hasUnreadNodes, NodeName.isWellFormed(name) { continue }
      if draft.strayKeys.contains(name) { continue }
      var nearest = suggestions.nearest(to: name, among: names + use.words)
      let meant = nearest.flatMap { ids[$0.name] }
      if let meant { draft.manifest.meantNodes.insert(meant) }
      // If no reference names the node that was probably meant, its definition may be misspelt.
      let definition = meant.flatMap { named.contains($0) ? nil : draft.manifest[$0].name.range }
      if definition != nil, use.ranges.count > 1 { nearest?.isCertain = false }
      draft.problems.append(
        Diagnostic(
          .unknownNode(name, nearest: nearest, allowed: names), at: use.ranges[0],
          related: definition.map { .init(.nodeDefinition, at: $0) },
          alsoAt: Array(use.ranges.dropFirst())))
    }
  }

  /// The container of each node that is a tab of only one container, and that no route opens.
  private func containersOfOwn(in manifest: Manifest) -> [NodeID: NodeID] {
    var containers: [NodeID: Set<NodeID>] = [:]
    for node in manifest.nodes {
      for tab in node.tabs {
        if let id = tab.node.id { containers[id, default: []].insert(node.id) }
      }
    }
    var entered = Set([manifest.start?.id].compactMap { $0 })
    for step in manifest.routes.flatMap(\.steps) where step.verb.enters && step.verb != .select {
      if let id = step.target?.id { entered.insert(id) }
    }
    for step in manifest.routes.flatMap(\.steps) where step.verb == .reset {
      if let id = step.target?.id { entered.insert(id) }
    }
    return containers.filter { $0.value.count == 1 && !entered.contains($0.key) }
      .compactMapValues(\.first)
  }

  /// The steps of a link, with the containers of tabs inserted before bare nodes that are tabs, so
  /// that a tab is never shown without its container.
  private func withContainers(
    _ steps: [Manifest.Step], _ homes: [NodeID: NodeID], _ manifest: Manifest
  ) -> [Manifest.Step] {
    var opened: Set<NodeID> = []
    var result: [Manifest.Step] = []
    for step in steps {
      var outer: [Manifest.Step] = []
      var next = step.isBareNode ? step.target?.id.flatMap { homes[$0] } : nil
      while let container = next, opened.insert(container).inserted {
        let node = NodeReference(
          name: manifest[container].name.value, range: step.range, id: container)
        outer.append(
          Manifest.Step(.push(node), verb: step.range, range: step.range, isBareNode: true))
        next = homes[container]
      }
      result += outer.reversed()
      result.append(step)
      if let id = step.target?.id { opened.insert(id) }
    }
    return result
  }

  private struct TabPlace: Hashable {
    let container: NodeID
    let tab: NodeID
  }

  /// Turns a bare node in a link into `select` if it follows its container.
  private func chooseVerbsOfLinks(in manifest: inout Manifest) {
    let tabs = Set(
      manifest.nodes.flatMap { node in
        node.tabs.compactMap { tab in tab.node.id.map { TabPlace(container: node.id, tab: $0) } }
      })
    // A tab whose name is unknown may be the one that is meant.
    let doubtful = Set(
      manifest.nodes.filter { $0.tabs.contains { $0.node.id == nil } }.map(\.id))
    let homes = containersOfOwn(in: manifest)
    for index in manifest.links.indices {
      manifest.links[index].open = withContainers(manifest.links[index].open, homes, manifest)
      var last: NodeID?
      for step in manifest.links[index].open.indices {
        let current = manifest.links[index].open[step]
        if current.isBareNode, let node = current.target, let id = node.id, let last,
          tabs.contains(TabPlace(container: last, tab: id)) || doubtful.contains(last)
        {
          manifest.links[index].open[step].action = .select(node)
        }
        last = current.target?.id
      }
    }
  }
}

extension Manifest.Step.Action {
  /// The same verb with another target; an action without a node is unchanged.
  fileprivate func retargeted(to node: NodeReference) -> Self {
    switch self {
    case .push: .push(node)
    case .present: .present(node)
    case .replace: .replace(node)
    case .select: .select(node)
    case .reset: .reset(node)
    case .popTo(.node): .popTo(.node(node))
    case .notify(.node): .notify(.node(node))
    case .popTo, .notify, .back, .dismiss, .ignore: self
    }
  }
}
