internal import Diagnostics

/// Gives every reference its node, and reports those that have none.
struct NameResolver {
  private let ids: [String: NodeID]
  private let names: [String]
  private let isIncomplete: Bool
  private var problems: [Problem] = []
  private var suggestions: Suggestions

  /// Resolves all references of a draft.
  static func resolve(_ draft: inout Draft) {
    var resolver = NameResolver(draft)
    resolver.resolveAll(in: &draft.manifest)
    draft.problems += resolver.problems
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
        for node in nodes.indices { resolve(&nodes[node]) }
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
    resolve(&node)
    step.action = step.action.retargeted(to: node)
  }

  private mutating func resolve(_ reference: inout NodeReference) {
    reference.id = ids[reference.name]
    guard reference.id == nil, !isIncomplete else { return }
    let nearest = suggestions.nearest(to: reference.name, among: names)
    problems.append(
      Problem(
        .unknownNode(reference.name, nearest: nearest, allowed: names), at: reference.range))
  }

  /// A bare node in a link is `select` right after its container.
  private func chooseVerbsOfLinks(in manifest: inout Manifest) {
    for index in manifest.links.indices {
      var last: NodeID?
      for step in manifest.links[index].open.indices {
        let current = manifest.links[index].open[step]
        if current.isBareNode, let node = current.target, let last,
          manifest[last].tabs.contains(where: { $0.node.name == node.name })
        {
          manifest.links[index].open[step].action = .select(node)
        }
        last = current.target?.id
      }
    }
  }
}

extension Manifest.Step.Action {
  /// The same verb with another target; verbs without a node stay as they are.
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
