package import Support

extension Rule {
  static let unknownLink = Rule(
    "unknown-link", means: "The manifest has no link of this shape.",
    remedy: "Use the suggested one; Tab completes links, and `appcore graph` lists them.")
  static let missingLinkParameter = Rule(
    "missing-parameter", means: "The address ends before all parameters of the link are given.",
    remedy: "Add what the message names: path parameters in the path, others after `?`.")
  static let unknownLinkParameter = Rule(
    "unknown-parameter", means: "The link has no parameter of that name after its `?`.",
    remedy: "Use the suggested one, or leave it out.")
  static let duplicateLinkParameter = Rule(
    "duplicate-parameter", means: "A parameter is given twice after the `?`.",
    remedy: "Leave one of them out.")
  static let wrongLinkType = Rule(
    "wrong-type", means: "A parameter of the address is not of the type that the link takes.",
    remedy: "Give a value of the type that the message names.")
  static let badLink = Rule(
    "bad-link",
    means: "The address can't be parsed: it contains a `#`, or a `%` that is not a UTF-8 "
      + "percent-escape.",
    remedy: "Write `%25` for a literal `%` and `%23` for a literal `#`.")
  static let badPosition = Rule(
    "bad-position",
    means: "A part of a position can't be read, or names something that does not exist. The "
      + "message gives the column.",
    remedy: "Correct that part; `:path --full` prints positions that can be opened.")

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

  package static let linkRules: [Rule] = [
    .unknownLink, .missingLinkParameter, .unknownLinkParameter, .duplicateLinkParameter,
    .wrongLinkType, .badLink, .badPosition,
  ]

  package static let stepRules: [Rule] = [
    .notCurrent, .maxDepth, .unavailable, .noSuchTab, .tabsCovered, .atRoot, .notInModal,
    .notOnPath, .wouldEmpty, .stateNotCarried,
  ]
}

extension Rejection {
  /// An instance can't be carried over to another build of its feature.
  package static func stateNotCarried(_ id: InstanceID, node: String, reason: String) -> Rejection {
    Rejection(
      .stateNotCarried, "the state of '\(node)' #\(id) does not fit the new build: \(reason)")
  }
}
