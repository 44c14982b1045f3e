@_spi(Host) public import AppCore
public import Support

/// An action of the root store: for an instance, or for the navigation.
public enum AppAction: ComponentAction {
  case instance(InstanceID, AnyAction)
  /// A request from the shell.
  case navigate(Navigation)
  case restore(Replacement)
  /// Replaces the running manifest with a changed one, or one plugin of it with another build.
  case adopt(Replacement)
  /// Gives a suspended instance its saved state.
  @_spi(Host) case resume(InstanceID, InstanceState)
  /// Lets every instance finish its work, because the app is about to end.
  case end
  /// Something happened outside the reducers; indirect, so that other actions stay small.
  indirect case report(Report)

  /// Something that happened outside the reducers, usually to be logged.
  public enum Report: Sendable {
    /// An action of an instance was dropped because its effect had been cancelled with the
    /// instance.
    case late(InstanceID)
    /// Actions triggered each other endlessly; this one was the first to be dropped.
    case endless(InstanceID, AnyAction, limit: Int)
    /// An effect of a removed instance has ended.
    case effectEnded(InstanceID)
    /// The time limit for a removed instance to end has passed.
    case timeIsUp(InstanceID)
    /// An instance has very many running effects.
    case flood(InstanceID, count: Int)
    /// A plugin, or the manifest if it is `nil`, could not be reloaded, and why.
    case notReloaded(plugin: String?, code: String, reason: String, isAsked: Bool)
    /// After a reload that was rejected with this code, the file is again the one that runs.
    case restored(plugin: String?, code: String, isAsked: Bool)
    /// Something that the user is warned of.
    case warning(Rejection)
  }

  /// A request from the shell, anchored at the current instance.
  public enum Navigation: Hashable, Sendable {
    /// Shows the start node; the first action of every app.
    case begin
    case back
    case dismiss
    case select(node: Int)
    /// Opens a link or a position; one that needs an instance waits for it.
    case open(LinkPlan)
    case openWaiting(LinkPlan)
  }
}

extension AppAction.Navigation {
  /// The verb in the log.
  var word: String {
    switch self {
    case .begin: "start"
    case .back: "back"
    case .dismiss: "dismiss"
    case .select: "select"
    case .open, .openWaiting: "open"
    }
  }

  /// The `action` of a rejection in the log; empty for a request that the user gets an answer to.
  var refusedAction: String {
    if case .openWaiting(let plan) = self { "open \(plan.address)" } else { "" }
  }

  /// The request in the words that the user types.
  package func origin(in graph: Graph) -> NavigationEvent.Origin {
    switch self {
    case .begin: .app
    case .back: .person(command: "back")
    case .dismiss: .person(command: "dismiss")
    case .select(let node): .person(command: "tab \(graph.nodes[node].name)")
    case .open(let plan), .openWaiting(let plan): .person(command: "open \(plan.address)")
    }
  }
}

extension AppAction {
  /// The action in a few words, for the log and for recordings; `nil` for one that navigates, which
  /// its event describes.
  package var text: String? {
    switch self {
    case .instance(_, let action): action.text
    case .navigate: nil
    case .restore(let replacement), .adopt(let replacement):
      replacement.program.map { program in
        program.reload.plugin.map { "a new build of '\($0.name)'" } ?? "a changed manifest"
      } ?? Self.continuation
    case .resume: Self.continuation
    case .end: Self.ending
    case .report(let report): report.text
    }
  }

  package static let ending = "the end of the app"
  /// The text of the step that continues an app from a past step, or from a session.
  package static let continuation = "the app continues"
}

extension AppAction.Report {
  /// The finding in a few words, for the log and for recordings.
  package var text: String {
    switch self {
    case .effectEnded: "the end of an effect"
    case .timeIsUp: "the end of an instance that took too long"
    case .late: "an action of an effect that had ended"
    case .endless: "actions without end"
    case .flood: "very many effects"
    case .notReloaded(let plugin?, _, _, _): "another build of '\(plugin)'"
    case .notReloaded(nil, _, _, _): "a changed manifest"
    case .restored(let plugin?, _, _): "the same build of '\(plugin)'"
    case .restored(nil, _, _): "the same manifest"
    case .warning(let rejection):
      rejection.rule == .manyBuilds
        ? "very many builds" : "a shared value that is not in its file"
    }
  }
}
