@_spi(Host) internal import AppCore
@_spi(Host) package import Navigation

/// The origin of an action, or of an entry of an app's log.
public enum ActionOrigin: String, Hashable, Sendable, CaseIterable {
  /// A line from the user, a script or a program.
  case line
  /// A view action, from a control of a screen.
  case screen
  /// An internal action, from an effect of the feature.
  case effect
  /// A delegate action, from the feature to the graph.
  case delegate
  /// An input action, from a route of another feature's delegate action.
  case route
  /// A step of the app itself, or a command that navigates.
  case navigation
  /// An action of a component of the feature.
  case component

  package init(of action: AppAction) {
    guard case .instance(_, let action) = action else {
      self = .navigation
      return
    }
    switch action.text.dropFirst().prefix(while: { $0 != "(" }) {
    case "view": self = .screen
    case "internal": self = .effect
    case "delegate": self = .delegate
    case "input": self = .route
    default: self = .component
    }
  }
}

extension RecordedStep {
  /// Sets the form of the step's action, without secrets, which are added to `secrets`.
  mutating func describe(_ action: AppAction, in graph: Graph, _ secrets: SecretTexts) {
    origin = ActionOrigin(of: action)
    text = action.text ?? "the start of the app"
    switch action {
    case .instance(let id, let action):
      instance = id
      guard let shown = try? action.codedForPeople() else { return }
      let coded = try? action.coded()
      self.action = shown
      hasSecret = coded != shown
      secrets.add(coded?.secretTexts(shownAs: shown) ?? [])
    case .navigate(let navigation):
      if case .person(let command) = navigation.origin(in: graph) { text = ":" + command }
      switch navigation {
      case .begin: self.action = "begin"
      case .back: self.action = "back"
      case .dismiss: self.action = "dismiss"
      case .select(let node): self.action = ["select": .string(graph.nodes[node].name)]
      case .open(let plan): describe(plan, "open", in: graph, secrets)
      case .openWaiting(let plan): describe(plan, "openWaiting", in: graph, secrets)
      }
    case .end: self.action = "end"
    case .report: self.action = "report"
    case .adopt, .restore, .resume: break
    }
  }

  private mutating func describe(
    _ plan: LinkPlan, _ word: String, in graph: Graph, _ secrets: SecretTexts
  ) {
    hasSecret = plan.holdsSecret(in: graph)
    secrets.add(plan.secretTexts(in: graph))
    if hasSecret { text = ":open \(SecretTexts.mark)" }
    action = .object([word: .string(hasSecret ? SecretTexts.mark : plan.address)])
  }
}
