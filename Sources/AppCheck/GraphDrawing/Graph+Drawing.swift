package import Manifest
package import Navigation
internal import Support

extension GraphDrawing {
  package init(_ graph: Graph, links: [Link]) {
    func name(_ node: Int) -> String { graph.nodes[node].name }
    self.init(
      name: graph.name, title: graph.title,
      nodes: graph.presentNodes.map { graph.nodes[$0] }.map { node in
        var tabs: [String] = []
        if case .tabs(let targets) = node.content { tabs = targets.map { name($0.node) } }
        return Node(
          node.name, feature: node.feature, title: node.title, maxDepth: node.maxDepth,
          tabs: tabs, background: node.background.map { name($0.node) })
      },
      routes: graph.allRoutes.map { route in
        Route(
          from: name(route.node), action: route.action,
          route.verbs.map { Verb($0, action: route.action, name: name) })
      },
      links: links, start: name(graph.start.node),
      background: graph.background.map { name($0.node) })
  }
}

extension GraphDrawing.Verb {
  fileprivate init(_ verb: RouteVerb, action: String, name: (Int) -> String) {
    var target = GraphDrawing.Target.none
    var options: [String] = []
    switch verb {
    case .push(let node, let singleTop, let ifCovered):
      target = .node(name(node.node))
      options = (singleTop ? ["singleTop"] : []) + ifCovered.options
    case .present(let node, let ifCovered), .replace(let node, let ifCovered):
      target = .node(name(node.node))
      options = ifCovered.options
    case .select(let node, let ifCovered):
      target = .node(name(node))
      options = ifCovered.options
    case .popTo(.node(let node), let inclusive):
      target = .node(name(node))
      options = inclusive ? ["inclusive"] : []
    case .popTo(.root, let inclusive):
      target = .word("root")
      options = inclusive ? ["inclusive"] : []
    case .reset(let node): target = .node(name(node.node))
    case .notify(let receiver, let input, _):
      switch receiver {
      case .node(let node), .all(let node): target = .node(name(node))
      case .presenter: target = .word("presenter")
      case .opener: target = .word("opener")
      case .current: target = .word("current")
      }
      options = input == action ? [] : ["as \(input)"]
      if case .all = receiver { options.append("toAll") }
    case .back, .dismiss, .ignore: break
    }
    self.init(verb.word, target, options: options)
  }
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

extension GraphDrawing.Link {
  package init(_ link: Manifest.Link) {
    self.init(
      link.path.text,
      steps: link.open.map { step in
        .init(step.verb.rawValue, step.target.map { .node($0.name) } ?? .none)
      }, needs: link.needs?.name)
  }
}
