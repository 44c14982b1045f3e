internal import AppCore
internal import AppCoreRuntime
internal import Navigation
internal import Shell

extension App {
  /// The current screen with what stands around it.
  ///
  /// Notices are what has to be told once.
  func shellScreen(notices: [Notice], isSettled: Bool) -> ShellScreen {
    let state = state
    let path = path
    let chrome = Chrome(
      path: path.names, depth: path.depth, tabs: tabs, isModal: isInModal, notices: notices,
      isSettled: isSettled)
    let content = screen?.content ?? ScreenContent(title: graph.title)
    return ShellScreen(
      content, owner: state.current.map { "\($0)" } ?? "", chrome: chrome)
  }

  /// The tabs of the nearest container.
  private var tabs: [Tab] {
    state.current.flatMap { state.instances[$0]?.container }.map { tabs(of: $0) } ?? []
  }

  private func tabs(of container: InstanceID) -> [Tab] {
    guard let instance = state.instances[container], let tabs = instance.tabs,
      case .tabs(let targets) = graph.nodes[instance.node].content
    else { return [] }
    return targets.enumerated().map { position, target in
      let node = graph.nodes[target.node]
      return Tab(node.name, title: node.title, isSelected: position == tabs.selected)
    }
  }

  /// The node of the tab that a person calls `name`: a node's name, or a title in any case.
  ///
  /// Containers are asked from the nearest one outward, as `select` does.
  func tab(named name: String) -> Int? {
    var next = state.current.flatMap { state.instances[$0]?.container }
    while let container = next {
      let tabs = tabs(of: container)
      let found =
        tabs.first { $0.name == name }
        ?? tabs.first { $0.title.lowercased() == name.lowercased() }
      if let found { return graph.index(of: found.name) }
      next = state.instances[container]?.container
    }
    return nil
  }

  /// What the journal holds since `count` that a person should hear of.
  func notices(after count: Int) -> [Notice] {
    state.journal.events(after: count).compactMap { event in
      switch event {
      case .refused(let node, let action, let refusal) where !action.isEmpty:
        Notice("'\(action)' of '\(graph.nodes[node].name)' changed nothing: \(refusal)")
      case .invalid(let node, let action, let reason):
        Notice("'\(action)' of '\(graph.nodes[node].name)' was dropped: \(reason)", style: .error)
      default: nil
      }
    }
  }

  /// The graph as the shell draws it.
  var drawing: GraphDrawing {
    let state = state
    let names = Set(path.names)
    var edges: [GraphDrawing.Edge] = []
    for node in graph.nodes {
      if case .tabs(let tabs) = node.content {
        for tab in tabs {
          edges.append(
            .init(from: node.name, to: graph.nodes[tab.node].name, label: "tab", verb: ""))
        }
      }
    }
    for route in graph.allRoutes {
      for verb in route.verbs {
        edges.append(
          .init(
            from: graph.nodes[route.node].name, to: target(of: verb), label: route.action,
            verb: verb.word))
      }
    }
    return GraphDrawing(
      nodes: graph.nodes.map { .init($0.name, feature: $0.feature, title: $0.title) },
      edges: edges, start: graph.nodes[graph.start.node].name,
      current: state.current.flatMap { state.instances[$0] }.map { graph.nodes[$0.node].name },
      visited: names)
  }

  private func target(of verb: RouteVerb) -> String? {
    switch verb {
    case .push(let target, _, _), .present(let target, _), .replace(let target, _),
      .reset(let target):
      graph.nodes[target.node].name
    case .select(let node, _), .popTo(.node(let node), _), .notify(.node(let node), _, _):
      graph.nodes[node].name
    case .notify(.presenter, _, _): "presenter"
    case .notify(.opener, _, _): "opener"
    case .notify(.current, _, _): "current"
    case .popTo(.root, _): "root"
    case .back, .dismiss, .ignore: nil
    }
  }
}
