/// The verbs of routes and links.
public enum Verb: String, Hashable, Sendable, CaseIterable {
  case push, present, replace, select, popTo, reset, notify
  case back, dismiss, ignore

  /// Whether the verb is a key with a target, rather than a word under `do`.
  public var takesTarget: Bool {
    switch self {
    case .push, .present, .replace, .select, .popTo, .reset, .notify: true
    case .back, .dismiss, .ignore: false
    }
  }

  /// Whether the verb opens or selects a node: only an emitter in front may do that.
  public var enters: Bool {
    switch self {
    case .push, .present, .replace, .select: true
    case .popTo, .reset, .notify, .back, .dismiss, .ignore: false
    }
  }

  /// Whether the verb leaves an instance: that is allowed from anywhere.
  public var leaves: Bool {
    switch self {
    case .back, .dismiss, .popTo: true
    case .push, .present, .replace, .select, .reset, .notify, .ignore: false
    }
  }

  /// The verb's options: the keys that are allowed next to it.
  var options: [Keyword] {
    switch self {
    case .push: [.with, .singleTop, .ifCovered]
    case .present, .replace: [.with, .ifCovered]
    case .select: [.ifCovered]
    case .popTo: [.inclusive]
    case .reset: [.with]
    case .notify: [.as, .with, .toAll]
    case .back, .dismiss, .ignore: []
    }
  }
}
