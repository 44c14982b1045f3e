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

// Rules for running features; violations are reported in the log.
extension Rule {
  static let droppedNotification = Rule(
    "no-receiver",
    means: "A notification is dropped: its target has no instance, or none with that input.",
    remedy: "Nothing needs to be done if this is intended; otherwise notify a node that has the "
      + "input.")
  static let gone = Rule(
    "gone", means: "An action came after its instance was dismissed, and is dropped.",
    remedy:
      "Nothing needs to be done: effects end with their instance, and this one was on its way.")
  static let outdated = Rule(
    "outdated",
    means: "An action came from a build of the plugin that has been replaced, and is dropped. The "
      + "effects of the former build end when the new one takes its place.",
    remedy: "Nothing needs to be done; return from `didRestore` what is to continue after a reload."
  )
  package static let endless = Rule(
    "endless",
    means: "Actions triggered each other endlessly: an action that sends itself again with "
      + "`.send`, or two features that notify each other. After 100,000 in a row, or 250,000 "
      + "queued, further ones are dropped.",
    remedy: "Make the feature that is named stop sending; `:log` shows the last actions.")
  package static let overdue = Rule(
    "overdue", .warning,
    means: "An instance was removed, and the effects that its feature's `willEnd` returned had "
      + "not ended after 5 s; they are cancelled, so unsaved data may be lost.",
    remedy: "Do only urgent work in `willEnd`, and make it finish even if it fails.")
  package static let flood = Rule(
    "flood", .warning,
    means: "An instance has 10,000 running effects: it starts them faster than they end. This is "
      + "reported again each time the number doubles (20,000, 40,000, …). Nothing is dropped.",
    remedy: "Give the effects an `id` with `cancellable(id:cancelInFlight:)`, or let them end.")
  package static let manyBuilds = Rule(
    "many-builds", .warning,
    means: "200 or more plugin builds are in memory. Earlier ones stay: a Swift library is never "
      + "unloaded. Reloads are refused before the system's mapping limit is reached.",
    remedy: "Start the app again when convenient.")
  package static let unkeptValue = Rule(
    "unkept-value", .warning,
    means:
      "A shared value is not in its file: the file is damaged, unreadable or can't be written, "
      + "or the value has no place there. What is changed is only in memory.",
    remedy: "Do what the message says; `storageError` of the value tells the feature.")
  package static let invalid = Rule(
    "invalid",
    means: "A value of the right type could not be passed between features: the receiver's "
      + "`Codable` code rejects it. The reason is in the log.",
    remedy: "Correct the `Codable` code of the type named in the reason.")

  package static let eventRules: [Rule] = [
    .droppedNotification, .gone, .outdated, .endless, .overdue, .flood, .manyBuilds, .unkeptValue,
    .invalid,
  ]
}

extension Rejection {
  static var gone: Rejection { Rejection(.gone, "its instance is gone") }

  static var outdated: Rejection {
    Rejection(.outdated, "it came from a build that has been replaced")
  }
}
