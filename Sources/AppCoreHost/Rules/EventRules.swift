package import Diagnostics
internal import Navigation

// What features should keep to while they run; the log tells of what breaks these rules.
extension Rule {
  static let droppedNotification = Rule(
    "no-receiver",
    means:
      "A notification is dropped: no instance is where it is sent, or the one there has no such "
      + "input.",
    remedy: "Nothing needs to be done where that is meant; else notify a node that has the input.")

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

  static let endless = Rule(
    "endless",
    means: "Actions brought each other about without end: an effect that is nothing but an action, "
      + "sent in answer to itself, or two features that notify each other. After 100,000 in a row, "
      + "or 250,000 that wait, what they bring about is dropped.",
    remedy: "Let the feature that is named stop sending; `:log` shows the last actions.")

  static let overdue = Rule(
    "overdue", .warning,
    means: "An instance was removed, and the effects that its feature's `willEnd` returned had not "
      + "ended after 5 s; they are cancelled, and what they were to save may be lost.",
    remedy:
      "Let `willEnd` do only what can't wait, and let it end by itself where it can't succeed.")

  static let flood = Rule(
    "flood", .warning,
    means:
      "An instance has 10,000 running effects, or a doubling of that: it starts more than end. "
      + "Nothing is dropped.",
    remedy: "Give the effects an `id` with `cancellable(id:cancelInFlight:)`, or let them end.")

  static let manyBuilds = Rule(
    "many-builds", .warning,
    means:
      "Plugins were loaded again so often that 200 builds of them or more are in memory. Former "
      + "builds stay there: a Swift library is never closed. Before the system's limit of mappings "
      + "is reached, reloads are refused.",
    remedy: "Start the app again when that suits.")

  static let invalid = Rule(
    "invalid",
    means: "What crosses between features did not fit, although the types did: the receiver's own "
      + "coding refuses it. The reason is in the log.",
    remedy: "Correct the coding of the type that the reason names.")

  /// The rules of running features.
  package static let eventRules: [Rule] = [
    .droppedNotification, .gone, .outdated, .endless, .overdue, .flood, .manyBuilds, .invalid,
  ]
}

extension Rejection {
  static func droppedNotification(input: String) -> Rejection {
    Rejection(.droppedNotification, "nobody there has the input '\(input)'")
  }

  static var gone: Rejection { Rejection(.gone, "its instance is gone") }

  static var outdated: Rejection {
    Rejection(.outdated, "it came from a build that has been replaced")
  }

  package static func endless(_ action: String, _ owner: String, limit: Int) -> Rejection {
    Rejection(
      .endless,
      "'\(action)' of \(owner) was cut off: it is one of more than \(limit) actions that brought "
        + "each other about without end")
  }

  package static func overdue(_ owner: String) -> Rejection {
    Rejection(
      .overdue,
      "\(owner) was removed, and its last effects were cancelled after "
        + "\(Router.endingLimit.components.seconds) s; what they were to save may be lost")
  }

  package static func flood(_ owner: String, count: Int) -> Rejection {
    Rejection(.flood, "\(owner) has \(count) running effects; it starts more than end")
  }

  package static func manyBuilds(_ builds: Int) -> Rejection {
    Rejection(
      .manyBuilds,
      "\(builds) builds of plugins are in memory, and former ones stay there: start the app again "
        + "when that suits")
  }
}
