package import Support

// The requirements for applying a navigation step.
extension Rule {
  static let notCurrent = Rule(
    "not-current",
    means: "The instance that emitted the action is no longer in front, so it may close screens "
      + "but not open any. A double tap can cause this.",
    remedy: "Usually nothing needs to be done; to run the step anyway, set `ifCovered`.")

  static let maxDepth = Rule(
    "max-depth", means: "The stack holds as many instances of the node as its `maxDepth` allows.",
    remedy: "Go back first, or raise `maxDepth`.")

  static let unavailable = Rule(
    "unavailable", means: "The instance could not be made. The message has the feature's reason.",
    remedy: "Correct what the reason names: arguments, files or the plugin.")

  package static let noSuchTab = Rule(
    "no-such-tab", means: "No container on the way to the root has the tab.",
    remedy: "Name a tab that is shown; in a manifest, `select` belongs inside its container.")

  static let tabsCovered = Rule(
    "tabs-covered", means: "A dialog covers the container whose tab `:tab` names.",
    remedy: "Answer the dialog or leave it with `:back`; then select the tab.")

  static let atRoot = Rule(
    "at-root", means: "There is nothing to go back to.", remedy: "Use `:quit` to leave the app.")

  static let notInModal = Rule(
    "not-in-modal", means: "There is no dialog to dismiss.", remedy: "Use `back`.")

  static let notOnPath = Rule(
    "not-on-path", means: "The node that `popTo` names is not on the way back.",
    remedy: "Push it, or `reset` to it.")

  static let wouldEmpty = Rule(
    "would-empty", means: "`popTo` with `inclusive` would remove the root of a stack.",
    remedy: "Leave `inclusive` out, or put another node there with `replace`.")

  package static let stateNotCarried = Rule(
    "state-not-carried",
    means: "The state of an instance does not fit the new build, and its `migrate` did not convert "
      + "it. The message names the instance and the field.",
    remedy: "Let the state conform to `Defaulted`, which gives new fields the values of its "
      + "`init()`, or give the feature a `migrate`; or start the app again.")

  /// The rules of steps.
  package static let stepRules: [Rule] = [
    .notCurrent, .maxDepth, .unavailable, .noSuchTab, .tabsCovered, .atRoot, .notInModal,
    .notOnPath, .wouldEmpty, .stateNotCarried,
  ]
}

extension Rejection {
  /// The emitter is not in front, so it may only leave.
  static var notCurrent: Rejection {
    Rejection(.notCurrent, "what asked for it is not in front any more")
  }

  /// A dialog covers the instance that an entering verb would act on.
  static var coveredByDialog: Rejection {
    Rejection(
      .notCurrent,
      "a dialog covers where it would happen; close it first with 'dismiss', or say 'ifCovered'")
  }

  static func maxDepth(node: String, _ limit: Int) -> Rejection {
    let screens = limit == 1 ? "a '\(node)' screen" : "\(limit) '\(node)' screens"
    return Rejection(
      .maxDepth, "the stack already holds \(screens) (its maxDepth); go back first")
  }

  static func unavailable(node: String, reason: String) -> Rejection {
    Rejection(.unavailable, "'\(node)' can't be shown: \(reason)")
  }

  static func noSuchTab(_ node: String) -> Rejection {
    Rejection(.noSuchTab, "nothing here has a tab '\(node)'")
  }

  static var tabsCovered: Rejection {
    Rejection(.tabsCovered, "a dialog covers the tabs; answer it, or leave it with ':back'")
  }

  static var atRoot: Rejection {
    Rejection(.atRoot, "this is where the app begins; there is nothing to go back to")
  }

  static var notInModal: Rejection { Rejection(.notInModal, "no dialog is open") }

  static func notOnPath(_ node: String) -> Rejection {
    Rejection(.notOnPath, "'\(node)' is not on the way back from here")
  }

  static func wouldEmpty(_ node: String) -> Rejection {
    Rejection(.wouldEmpty, "'\(node)' is the first of its stack and can't be removed")
  }

  /// An instance can't be carried over to another build of its feature.
  package static func stateNotCarried(_ id: InstanceID, node: String, reason: String) -> Rejection {
    Rejection(
      .stateNotCarried, "the state of '\(node)' #\(id) does not fit the new build: \(reason)")
  }
}
