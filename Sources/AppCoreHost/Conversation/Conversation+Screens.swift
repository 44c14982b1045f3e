internal import AppCheck
@_spi(Host) public import AppCore
internal import Navigation
internal import Shell
internal import Support

/// The current screen, as lines and as a value.
public struct ScreenReading: Sendable {
  /// The lines that a user sees, without newlines.
  public let lines: [String]
  /// The object that `--json` prints, for programs.
  public let value: Value
}

extension Conversation {
  /// Waits until the screen has settled, for `limit` at most, and draws it.
  func show(within limit: Duration, of app: isolated App) async -> [String] {
    let isSettled = await app.settle(within: limit)
    let screen = screen(
      of: app, notices: notices(after: seenEventCount, in: app), isSettled: isSettled,
      cause: nextScreenCause)
    let lines = session.frame(screen)
    app.keeper.save(app)
    didPrint(screen, in: app)
    return lines
  }

  /// The current screen; numbers in later lines refer to its controls.
  func read(noticesAfter count: Int, of app: isolated App) -> ScreenReading {
    let screen = screen(
      of: app, notices: notices(after: count, in: app), isSettled: app.isSettled)
    let value = session.value(of: screen)
    return ScreenReading(lines: session.frame(screen), value: value)
  }

  func shows(_ text: String, in app: isolated App) -> Bool {
    session.shows(text, on: screen(of: app))
  }

  /// The screen of a step of a recording, as the shell draws it.
  func frame(ofStepIn app: isolated App) -> [String] {
    var lines = ShellSession(session.settings)
    return lines.frame(screen(of: app, marksRewinding: false))
  }

  /// Records that a screen was printed, so that neither it nor its notices are printed again.
  func didPrint(_ screen: ShellScreen, in app: isolated App) {
    seenEventCount = app.state.journal.count
    printedLogCount = app.log.count
    if session.settings.includesCauses { printedContent = content(of: screen) }
  }

  /// The content of the current screen, or of the stand-in for a suspended instance.
  func content(of app: isolated App) -> ScreenContent? {
    guard let id = app.shownState.current, let standIn = app.keeper.standIn(for: id, in: app)
    else { return app.screen?.content }
    return standIn
  }

  /// The current screen with its chrome: path, tabs, notices and state of the app.
  ///
  /// The cause is included only if the session's settings ask for it. `marksRewinding` is whether to
  /// say that a past step is shown.
  func screen(
    of app: isolated App, notices: [Notice] = [], isSettled: Bool = true,
    cause: ScreenCause? = nil, marksRewinding: Bool = true
  ) -> ShellScreen {
    let (state, path) = (app.shownState, app.path)
    let container = state.current.flatMap { state.instances[$0]?.container }
    var chrome = Chrome(
      path: path.names, titles: path.titles, depth: path.depth,
      tabs: container.map { state.tabs(of: $0, in: app.graph) } ?? [], isModal: state.isInModal,
      notices: notices, isSettled: isSettled)
    if session.settings.includesCauses { chrome.cause = cause }
    var screen = bareScreen(of: app)
    if let rewound = app.timeline.rewound, marksRewinding {
      chrome.rewound = (rewound.number, rewound.last)
      screen.content.title += " (rewound to step \(rewound.number) of \(rewound.last))"
    }
    screen.chrome = chrome
    return screen
  }

  /// The current screen without its chrome, which is enough to interpret a line.
  func bareScreen(of app: isolated App) -> ShellScreen {
    ShellScreen(
      content(of: app) ?? ScreenContent(title: app.graph.title),
      owner: app.shownState.current.map { "\($0)" } ?? "",
      today: { [dependencies = app.dependencies] in (dependencies ?? DependencyValues()).today })
  }

  /// Notices of the events in the journal after the first `count` that the user should know of.
  func notices(after count: Int, in app: isolated App) -> [Notice] {
    app.reportStorageErrors()
    let events = app.navigationEvents(after: count)
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

  /// The drawing of the graph, for `:graph`, with the routes that were taken as far as the journal
  /// still has their events.
  func drawing(of app: isolated App) -> GraphDrawing {
    let state = app.shownState
    var drawing = GraphDrawing(app.graph)
    drawing.current = state.current.flatMap { state.instances[$0] }.map {
      app.graph.nodes[$0.node].name
    }
    drawing.visited = Set(app.path.names)
    var counts: [GraphDrawing.RouteKey: Int] = [:]
    for event in app.navigationEvents() {
      guard case .instance(_, let node, let action) = event.origin else { continue }
      let route = GraphDrawing.RouteKey(node: node, action: action)
      switch event.outcome {
      case .emitted: counts[route, default: 0] += 1
      case .refused: counts[route, default: 0] -= 1
      case .dropped(let rejection) where rejection.rule == .invalid: counts[route, default: 0] -= 1
      default: break
      }
    }
    drawing.travelled = Set(counts.filter { $0.value > 0 }.keys)
    return drawing
  }
}

extension AppState {
  var isInModal: Bool { navigation.topLayer != navigation.rootLayer }

  func tabs(of container: InstanceID, in graph: Graph) -> [Tab] {
    guard let instance = instances[container], let tabs = instance.tabs,
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
  func tab(named name: String, in graph: Graph) -> Int? {
    var next = current.flatMap { instances[$0]?.container }
    while let container = next {
      let tabs = tabs(of: container, in: graph)
      let found =
        tabs.first { $0.name == name }
        ?? tabs.first { $0.title.lowercased() == name.lowercased() }
      if let found { return graph.index(of: found.name) }
      next = instances[container]?.container
    }
    return nil
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
