extension Graph {
  /// Renumbers the graph so that its nodes keep the indexes that they have in a former graph.
  ///
  /// An app's log, instances and running effects refer to nodes by index. Nodes are the same if
  /// they have the same name and feature. The other nodes of the former graph stay at their indexes
  /// as ``formerNodes``, and new nodes follow them.
  package func following(_ former: Graph) -> Graph {
    func key(_ node: Node) -> [String?] { [node.name, node.feature] }
    let known = Dictionary(
      former.nodes.enumerated().map { (key($1), $0) }, uniquingKeysWith: { first, _ in first })
    var all = former.nodes
    var absent = Set(all.indices)
    var map: [Int] = []
    for (index, node) in nodes.enumerated() {
      if let position = known[key(node)], !formerNodes.contains(index) {
        map.append(position)
        absent.remove(position)
      } else {
        map.append(all.count)
        all.append(node)
        if formerNodes.contains(index) { absent.insert(all.count - 1) }
      }
    }
    for (index, node) in nodes.enumerated() { all[map[index]] = node.renumbered(map) }
    return Graph(
      name: name, title: title, nodes: all, start: start.renumbered(map),
      background: background.map { $0.renumbered(map) },
      routes: allRoutes.map { $0.renumbered(map) }, links: links.map { $0.renumbered(map) },
      formerNodes: absent)
  }
}

extension Target {
  fileprivate func renumbered(_ map: [Int]) -> Target {
    Target(node: map[node], arguments: arguments)
  }
}

extension Node {
  fileprivate func renumbered(_ map: [Int]) -> Node {
    let content: Content =
      switch content {
      case .feature: content
      case .tabs(let tabs): .tabs(tabs.map { $0.renumbered(map) })
      }
    return Node(
      name: name, title: title, content: content, arguments: arguments, shape: shape,
      maxDepth: maxDepth, background: background.map { $0.renumbered(map) },
      formerNames: formerNames)
  }
}

extension Route {
  fileprivate func renumbered(_ map: [Int]) -> Route {
    Route(node: map[node], action: action, verbs: verbs.map { $0.renumbered(map) })
  }
}

extension RouteVerb {
  fileprivate func renumbered(_ map: [Int]) -> RouteVerb {
    switch self {
    case .push(let target, let singleTop, let ifCovered):
      .push(target.renumbered(map), singleTop: singleTop, ifCovered)
    case .present(let target, let ifCovered): .present(target.renumbered(map), ifCovered)
    case .replace(let target, let ifCovered): .replace(target.renumbered(map), ifCovered)
    case .select(let node, let ifCovered): .select(node: map[node], ifCovered)
    case .popTo(.node(let node), let inclusive): .popTo(.node(map[node]), inclusive: inclusive)
    case .reset(let target): .reset(target.renumbered(map))
    case .notify(.node(let node), let input, let arguments, let others):
      .notify(.node(map[node]), input: input, arguments, others: others)
    case .notify(.all(let node), let input, let arguments, let others):
      .notify(.all(map[node]), input: input, arguments, others: others)
    case .back, .dismiss, .popTo(.root, _), .notify, .ignore: self
    }
  }
}

extension Link {
  fileprivate func renumbered(_ map: [Int]) -> Link {
    Link(
      path: path, types: types, steps: steps.map { $0.with($0.target.renumbered(map)) },
      needs: needs.map { map[$0] })
  }
}
