internal import AppCheck
@_spi(Host) internal import AppCore
internal import Navigation
internal import Shell
internal import Support

extension App {
  /// The current screen with its chrome: path, tabs, notices and state of the app.
  ///
  /// - Parameters:
  ///   - notices: notices to show once.
  ///   - isSettled: whether the app has settled.
  ///   - cause: the cause of the screen; included only if the session's settings ask for it.
  ///   - marksRewinding: whether to say that a past step is shown.
  /// - Returns: the screen.
  func shellScreen(
    notices: [Notice], isSettled: Bool, cause: ScreenCause? = nil, marksRewinding: Bool = true
  ) -> ShellScreen {
    let state = shownState
    let path = path
    var chrome = Chrome(
      path: path.names, titles: path.titles, depth: path.depth, tabs: tabs, isModal: isInModal,
      notices: notices, isSettled: isSettled)
    if session.settings.includesCauses { chrome.cause = cause }
    var content = self.content ?? ScreenContent(title: graph.title)
    if let rewound, marksRewinding {
      chrome.rewound = Rewound(step: rewound.number, last: rewound.last)
      content.title += " (rewound to step \(rewound.number) of \(rewound.last))"
    }
    return ShellScreen(
      content, owner: state.current.map { "\($0)" } ?? "", chrome: chrome)
  }

  /// The current screen without its chrome, which is enough to interpret a line.
  var bareScreen: ShellScreen {
    ShellScreen(
      content ?? ScreenContent(title: graph.title),
      owner: shownState.current.map { "\($0)" } ?? "")
  }

  /// The tabs of the nearest container.
  private var tabs: [Tab] {
    shownState.current.flatMap { shownState.instances[$0]?.container }.map { tabs(of: $0) } ?? []
  }

  private func tabs(of container: InstanceID) -> [Tab] {
    guard let instance = shownState.instances[container], let tabs = instance.tabs,
      case .tabs(let targets) = graph.nodes[instance.node].content
    else { return [] }
    return targets.enumerated().map { position, target in
      let node = graph.nodes[target.node]
      return Tab(node.name, title: node.title, isSelected: position == tabs.selected)
    }
  }

  /// The node of the tab called `name`: the name of its node, or its title, ignoring case.
  ///
  /// The nearest container is searched first, then its ancestors, as for the verb `select`.
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

  /// Notices of the events in the journal after the first `count` that the user should know of.
  func notices(after count: Int) -> [Notice] {
    reportStorageErrors()
    let entries = state.journal.entries(after: count)
    // Only the last reload of each plugin, and of the manifest, is reported.
    var lastReloads: [String: Int] = [:]
    for entry in entries {
      if let plugin = entry.event.reloaded { lastReloads[plugin] = entry.number }
    }
    return entries.compactMap { entry in
      if let plugin = entry.event.reloaded, lastReloads[plugin] != entry.number {
        return nil
      }
      // A reload that the user requested is answered by its line.
      let isAsked = if case .person = entry.origin { true } else { false }
      switch entry.event {
      case .refused(let node, let action, let refusal) where !action.isEmpty:
        return Notice(
          "'\(action)' of '\(graph.nodes[node].name)' changed nothing: \(refusal.message)",
          code: refusal.code)
      case .invalid(let node, let action, let reason):
        return Notice(
          "'\(action)' of '\(graph.nodes[node].name)' was dropped: \(reason)", style: .error)
      case .replaced(let plugin, let from, let to, let instances):
        return Notice(
          NavigationEvent.Outcome.replaced(plugin, from: from, to: to, instances: instances),
          style: .plain)
      case .notReplaced(let plugin, let code, let reason) where !isAsked:
        return Notice(
          NavigationEvent.Outcome.notReplaced(plugin, reason: reason) + " [\(code)]", style: .error,
          code: code)
      case .restored(let plugin, let code) where !isAsked:
        return Notice(NavigationEvent.Outcome.restored(plugin, code: code), style: .plain)
      case .adopted(let instances, let losses):
        return Notice(
          NavigationEvent.Outcome.adopted(instances: instances, losses: losses), style: .plain)
      case .notAdopted(let code, let reason) where !isAsked:
        return Notice(
          NavigationEvent.Outcome.notAdopted(reason) + " [\(code)]", style: .error, code: code)
      case .manifestRestored where !isAsked:
        return Notice(NavigationEvent.Outcome.manifestRestored, style: .plain)
      case .endless(let id, let node, let action, let limit):
        return Notice(
          Rejection.endless(
            action, "'\(graph.nodes[node].name)' #\(id)", limit: limit
          ).message, style: .error)
      case .unkept(let reason):
        let warning = Rejection.unkeptValue(reason)
        return Notice(warning.message, style: .error, code: warning.code)
      case .crowded(let builds): return Notice(Rejection.manyBuilds(builds).message)
      case .overdue(let id, let node):
        return Notice(
          Rejection.overdue("'\(graph.nodes[node].name)' #\(id)").message, style: .error)
      case .flood(let id, let node, let count):
        return Notice(
          Rejection.flood("'\(graph.nodes[node].name)' #\(id)", count: count).message)
      default: return nil
      }
    }
  }

  /// The message about a link that waits for an instance of a node.
  func waitingText(_ link: String, _ node: String) -> String {
    "'\(link)' opens as soon as '\(node)' is there"
  }

  /// The output of `:path`.
  func positionLines(isFull: Bool) -> [String] {
    [position(isFull: isFull)] + (isFull ? [positionRemark].compactMap { $0 } : [])
  }

  /// The drawing of the graph, for `:graph`.
  var drawing: GraphDrawing {
    var drawing = GraphDrawing(graph, links: current.links)
    drawing.current = shownState.current.flatMap { shownState.instances[$0] }.map {
      graph.nodes[$0.node].name
    }
    drawing.visited = Set(path.names)
    drawing.travelled = travelled
    return drawing
  }

  /// The routes that were taken, as far as the journal still has their events.
  private var travelled: Set<GraphDrawing.RouteKey> {
    var counts: [GraphDrawing.RouteKey: Int] = [:]
    func count(_ node: Int, _ action: String, _ change: Int) {
      counts[.init(node: graph.nodes[node].name, action: action), default: 0] += change
    }
    for event in state.journal.events {
      switch event {
      case .delegate(_, let node, let action, _): count(node, action, 1)
      case .refused(let node, let action, _) where !action.isEmpty: count(node, action, -1)
      case .invalid(let node, let action, _): count(node, action, -1)
      default: break
      }
    }
    return Set(counts.filter { $0.value > 0 }.keys)
  }
}
