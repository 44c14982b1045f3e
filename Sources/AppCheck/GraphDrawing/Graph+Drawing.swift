package import Navigation
internal import Support

extension GraphDrawing {
  package init(_ graph: Graph) {
    func name(_ node: Int) -> String { graph.nodes[node].name }
    self.init(
      name: graph.name, title: graph.title,
      nodes: graph.presentNodes.map { graph.nodes[$0] }.map { node in
        var tabs: [String] = []
        if case .tabs(let targets) = node.content { tabs = targets.map { name($0.node) } }
        return Node(
          name: node.name, feature: node.feature, title: node.title, maxDepth: node.maxDepth,
          tabs: tabs, background: node.background.map { name($0.node) })
      },
      routes: graph.allRoutes.map { route in
        Route(
          from: name(route.node), action: route.action,
          verbs: route.verbs.map { Verb($0, action: route.action, name: name) })
      },
      links: graph.links.map { link in
        Link(
          path: link.path.text,
          steps: link.steps.map { Verb(word: $0.word, target: name($0.target.node)) },
          needs: link.needs.map(name))
      },
      start: name(graph.start.node), background: graph.background.map { name($0.node) })
  }
}

extension GraphDrawing.Verb {
  fileprivate init(_ verb: RouteVerb, action: String, name: (Int) -> String) {
    self.init(word: verb.word)
    switch verb {
    case .push(let node, let singleTop, let ifCovered):
      target = name(node.node)
      options = (singleTop ? ["singleTop"] : []) + ifCovered.options
    case .present(let node, let ifCovered), .replace(let node, let ifCovered):
      target = name(node.node)
      options = ifCovered.options
    case .select(let node, let ifCovered):
      target = name(node)
      options = ifCovered.options
    case .popTo(let place, let inclusive):
      if case .node(let node) = place { target = name(node) } else { setWord("root") }
      options = inclusive ? ["inclusive"] : []
    case .reset(let node): target = name(node.node)
    case .notify(let receiver, let input, _, _):
      options = input == action ? [] : ["as \(input)"]
      switch receiver {
      case .node(let node): target = name(node)
      case .all(let node):
        target = name(node)
        options.append("toAll")
      case .presenter: setWord("presenter")
      case .opener: setWord("opener")
      case .current: setWord("current")
      }
    case .back, .dismiss, .ignore: break
    }
  }

  private mutating func setWord(_ word: String) { (target, targetIsNode) = (word, false) }
}

extension IfCovered {
  fileprivate var options: [String] {
    switch self {
    case .refuse: []
    case .cut: ["cut"]
    case .over: ["over"]
    }
  }
}
