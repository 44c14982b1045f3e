package import Support

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
