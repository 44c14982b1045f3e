@_spi(Host) package import AppCore
package import Navigation

/// The form of an action that is written to a recording.
package struct RecordedAction: Hashable, Sendable {
  package var origin: RecordedStep.Origin
  /// The action as text for people.
  package var text: String
  /// The action in structural form, without secrets; `nil` if it has none.
  package var value: Value?
  /// Whether the action contained a secret, which is left out.
  package var hasSecret = false
  /// The secret texts in the action.
  var secrets: [String] = []

  /// The text of the step that ends an app.
  package static let ending = "the end of the app"
  /// The text of the step that continues an app from a past step, or from a session.
  package static let continuation = "the app continues"

  /// Converts an action, leaving out its secrets.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - graph: the graph of the app.
  package init(_ action: AppAction, in graph: Graph) {
    self.init(origin: .navigation, text: "")
    switch action {
    case .instance(_, let action): note(action)
    case .navigate(let navigation):
      text = Self.text(navigation, in: graph)
      switch navigation {
      case .begin: value = "begin"
      case .back: value = "back"
      case .dismiss: value = "dismiss"
      case .select(let node): value = ["select": .string(graph.nodes[node].name)]
      case .open(let plan): note(plan, "open", in: graph)
      case .openWaiting(let plan): note(plan, "openWaiting", in: graph)
      }
    case .end: (text, value) = (Self.ending, "end")
    case .report(let report): (text, value) = (report.text, "report")
    case .adopt(let replacement): text = replacement.text
    case .restore: text = Self.continuation
    }
  }

  private init(origin: RecordedStep.Origin, text: String) {
    self.origin = origin
    self.text = text
  }

  private mutating func note(_ action: AnyAction) {
    text = action.text
    origin = Self.origin(of: text)
    guard let shown = try? action.codedForPeople() else { return }
    value = shown
    let coded = try? action.coded()
    hasSecret = coded != shown
    if let coded { secrets = coded.secretTexts(shownAs: shown) }
  }

  private mutating func note(_ plan: LinkPlan, _ word: String, in graph: Graph) {
    hasSecret = plan.holdsSecret(in: graph)
    secrets = plan.secretTexts(in: graph)
    if hasSecret { text = ":open <secret>" }
    value = .object([word: .string(hasSecret ? AppMoment.secretLink : plan.address)])
  }

  private static func text(_ navigation: AppAction.Navigation, in graph: Graph) -> String {
    switch navigation.origin(in: graph) {
    case .person(let command): ":" + command
    default: "the start of the app"
    }
  }

  private static func origin(of description: String) -> RecordedStep.Origin {
    switch description.dropFirst().prefix(while: { $0 != "(" }) {
    case "view": .screen
    case "internal": .effect
    case "delegate": .delegate
    case "input": .route
    default: .component
    }
  }
}

extension AppMoment {
  /// The placeholder for a link with a secret.
  package static let secretLink = SecretTexts.mark
}
