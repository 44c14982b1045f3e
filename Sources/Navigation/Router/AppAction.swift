public import AppCore

/// An action of the root store: for an instance, or for the navigation.
public enum AppAction: ComponentAction {
  /// An action of the instance's feature.
  case instance(InstanceID, AnyAction)
  /// What a person asks for in the shell.
  case navigate(Navigation)
  /// A plugin's new build is to take the place of the one that runs.
  case replace(Replacement)
  /// The app is restored with instances from another process.
  case restore(Restoration)
  /// A changed manifest is to take the place of the one that runs.
  case adopt(Adoption)
  /// The app is about to end: every instance may finish its work.
  case end
  /// What has happened outside of the reducers; in a box, so that other actions stay small.
  indirect case report(Report)

  /// A finding of the store, to be logged.
  public enum Report: Sendable {
    /// An action of an instance was dropped: its effect had ended.
    case late(InstanceID)
    /// Actions triggered each other endlessly; this one was the first to be dropped.
    case endless(InstanceID, AnyAction, limit: Int)
    /// An effect of an instance that was removed has ended.
    case effectEnded(InstanceID)
    /// An instance that was removed has had its time to end.
    case timeIsUp(InstanceID)
    /// An instance has very many effects that run.
    case flood(InstanceID, count: Int)
    /// A plugin could not be replaced, and why.
    case notReplaced(plugin: String, code: String, reason: String, isAsked: Bool)
    /// A changed manifest could not be taken over, and why.
    case notAdopted(code: String, reason: String, isAsked: Bool)
    /// A manifest that was refused, with this code, is the one that runs again.
    case manifestRestored(code: String, isAsked: Bool)
    /// A plugin that was refused, with this code, is the build that runs again.
    case restored(plugin: String, code: String, isAsked: Bool)
    /// Very many builds of plugins are in memory.
    case crowded(builds: Int)
  }

  /// A request from the shell, anchored at the current instance.
  public enum Navigation: Hashable, Sendable {
    /// Shows the start node; the first action of every app.
    case begin
    case back
    case dismiss
    /// Selects the tab of a node.
    case select(node: Int)
    /// Opens a link or a position; one that needs an instance waits for it.
    case open(LinkPlan)
    /// Opens a link that has waited.
    case openWaiting(LinkPlan)
  }
}

extension AppAction.Navigation {
  /// The word of what is done.
  var word: String {
    switch self {
    case .begin: "start"
    case .back: "back"
    case .dismiss: "dismiss"
    case .select: "select"
    case .open, .openWaiting: "open"
    }
  }

  /// What a refusal is known by, besides its origin; nothing for what a person is answered.
  var refusedAction: String {
    if case .openWaiting(let plan) = self { "open \(plan.address)" } else { "" }
  }

  /// The request in the words that the user types.
  func origin(in graph: Graph) -> Journal.Origin {
    switch self {
    case .begin: .app
    case .back: .person("back")
    case .dismiss: .person("dismiss")
    case .select(let node): .person("tab \(graph.nodes[node].name)")
    case .open(let plan), .openWaiting(let plan): .person("open \(plan.address)")
    }
  }
}
