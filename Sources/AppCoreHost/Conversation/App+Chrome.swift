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
    let events = state.journal.events(after: count)
    // Only the last reload of each plugin, and of the manifest, is reported.
    var lastReloads: [String: Int] = [:]
    for event in events {
      if let plugin = event.reloadedPlugin { lastReloads[plugin] = event.number }
    }
    return events.compactMap { event in
      if let plugin = event.reloadedPlugin, lastReloads[plugin] != event.number { return nil }
      return Notice(event)
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
    func count(_ node: String, _ action: String, _ change: Int) {
      counts[.init(node: node, action: action), default: 0] += change
    }
    for event in state.journal.events {
      guard case .instance(_, let node, let action) = event.origin else { continue }
      switch event.outcome {
      case .emitted: count(node, action, 1)
      case .refused: count(node, action, -1)
      case .dropped(let rejection) where rejection.rule == .invalid: count(node, action, -1)
      default: break
      }
    }
    return Set(counts.filter { $0.value > 0 }.keys)
  }
}

extension Notice {
  /// The notice of an event; `nil` if the user need not know of it.
  fileprivate init?(_ event: NavigationEvent) {
    // A reload that the user requested is answered by its line.
    let isAsked = if case .person = event.origin { true } else { false }
    switch event.outcome {
    case .refused(let node, let action, let rejection) where !action.isEmpty:
      self.init(
        "'\(action)' of '\(node)' changed nothing: \(rejection.message)", code: rejection.code)
    case .dropped(let rejection) where rejection.rule == .invalid:
      guard case .instance(_, let node, let action) = event.origin else { return nil }
      self.init("'\(action)' of '\(node)' was dropped: \(rejection.message)", style: .error)
    case .dropped(let rejection) where rejection.rule == .endless:
      self.init(rejection.message, style: .error)
    case .warned(let rejection) where rejection.rule == .unkeptValue:
      self.init(rejection.message, style: .error, code: rejection.code)
    case .warned(let rejection) where rejection.rule == .overdue:
      self.init(rejection.message, style: .error)
    case .warned(let rejection): self.init(rejection.message)
    case .reloaded: self.init(event.message, style: .plain)
    case .notReloaded(_, let code, _) where !isAsked:
      self.init(event.message + " [\(code)]", style: .error, code: code)
    case .restored where !isAsked: self.init(event.message, style: .plain)
    default: return nil
    }
  }
}
