/// One thing that a route does.
public enum RouteVerb: Sendable {
  case push(Target, singleTop: Bool, IfCovered)
  case present(Target, IfCovered)
  case replace(Target, IfCovered)
  case select(node: Int, IfCovered)
  case back
  case dismiss
  case popTo(PopTarget, inclusive: Bool)
  case reset(Target)
  case notify(Receiver, input: String, ArgumentTemplate)
  case ignore

  /// The word that manifests use.
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

/// What an entering verb does if its emitter is not in front.
public enum IfCovered: Sendable {
  /// Nothing happens, for the reason `not-current`.
  case refuse
  /// First dismisses what covers the emitter.
  case cut
  /// The verb acts on the current instance.
  case over
}

/// Where `popTo` leads.
public enum PopTarget: Sendable {
  /// The nearest instance of the node on the way outward.
  case node(Int)
  /// The root of the stack.
  case root
}

/// The receiver of a notification.
public enum Receiver: Sendable {
  /// The instance that pushed or presented the emitter.
  case presenter
  /// The instance beneath the emitter's layer.
  case opener
  /// The current instance after the step.
  case current
  /// The nearest instance of the node on the way outward, else the one presented last.
  case node(Int)
  /// Every living instance of the node, oldest first.
  case all(Int)
}
