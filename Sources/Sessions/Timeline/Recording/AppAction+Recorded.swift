@_spi(Host) internal import AppCore
@_spi(Host) package import Navigation

extension RecordedStep.Origin {
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

/// The form of an action that is written to a recording.
struct RecordedAction {
  /// The action as text for people.
  var text: String
  /// The action in structural form, without secrets; `nil` if it has none.
  var value: Value?
  /// Whether the action contained a secret, which is left out.
  var hasSecret = false
  /// The secret texts in the action.
  var secrets: [String] = []

  init(_ action: AppAction, in graph: Graph) {
    text = action.text ?? "the start of the app"
    switch action {
    case .instance(_, let action):
      guard let shown = try? action.codedForPeople() else { return }
      let coded = try? action.coded()
      value = shown
      hasSecret = coded != shown
      secrets = coded?.secretTexts(shownAs: shown) ?? []
    case .navigate(let navigation):
      if case .person(let command) = navigation.origin(in: graph) { text = ":" + command }
      switch navigation {
      case .begin: value = "begin"
      case .back: value = "back"
      case .dismiss: value = "dismiss"
      case .select(let node): value = ["select": .string(graph.nodes[node].name)]
      case .open(let plan): record(plan, "open", in: graph)
      case .openWaiting(let plan): record(plan, "openWaiting", in: graph)
      }
    case .end: value = "end"
    case .report: value = "report"
    case .restore, .adopt, .resume: break
    }
  }

  private mutating func record(_ plan: LinkPlan, _ word: String, in graph: Graph) {
    hasSecret = plan.holdsSecret(in: graph)
    secrets = plan.secretTexts(in: graph)
    if hasSecret { text = ":open \(SecretTexts.mark)" }
    value = .object([word: .string(hasSecret ? SecretTexts.mark : plan.address)])
  }
}
