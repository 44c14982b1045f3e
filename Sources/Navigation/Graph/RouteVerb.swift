public enum RouteVerb: Sendable {
  case push(Target, singleTop: Bool, IfCovered)
  case present(Target, IfCovered)
  case replace(Target, IfCovered)
  case select(node: Int, IfCovered)
  case back
  case dismiss
  case popTo(PopTarget, inclusive: Bool)
  case reset(Target)
  /// `others` are the arguments for features whose input has another type than that of the first
  /// receiver, by feature.
  case notify(
    Receiver, input: String, ArgumentTemplate, others: [String: ArgumentTemplate] = [:])
  case ignore

  /// The keyword in manifests.
  public var word: String {
    switch self {
    case .push: "push"
    case .present: "present"
    case .replace: "replace"
    case .select: "select"
    case .back: "back"
    case .dismiss: "dismiss"
    case .popTo: "popTo"
    case .reset: "reset"
    case .notify: "notify"
    case .ignore: "ignore"
    }
  }
}

/// The behavior of an entering verb if its emitter is not in front.
public enum IfCovered: Sendable {
  /// The step is rejected with the code `not-current`.
  case refuse
  /// Everything that covers the emitter is removed first.
  case cut
  /// The verb acts on the current instance.
  case over
}

public enum PopTarget: Sendable {
  /// The nearest instance of the node, among the emitter and its ancestors.
  case node(Int)
  case root
}

/// The receiver of a notification.
public enum Receiver: Sendable {
  /// The instance that pushed or presented the emitter.
  case presenter
  /// The instance that the emitter's layer covers.
  case opener
  /// The current instance after the step.
  case current
  /// The nearest ancestor that is an instance of the node, else the instance presented last.
  case node(Int)
  /// Every living instance of the node, oldest first.
  case all(Int)
}
