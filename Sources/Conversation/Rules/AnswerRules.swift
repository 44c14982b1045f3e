internal import Diagnostics

// What the app itself has against a line that was read.
extension Rule {
  static let noSuchCode = Rule(
    "no-such-code", means: "`:explain` knows no such code.",
    remedy: "Take the suggested one; `appcore explain` lists all.")

  static let askedFirst = Rule(
    "asked-first",
    means:
      "`:open` or `:dismiss` would leave a screen that has an action of its own for being left, "
      + "such as asking whether to discard changes. That was sent, and the screen stays until it is "
      + "answered.",
    remedy: "Answer what the screen asks; then write the command again.")

  static let notTaken = Rule(
    "not-taken", means: "The control does not take this value now.",
    remedy: "Look at the screen again.")

  static let answerRules: [Rule] = [.noSuchCode, .askedFirst, .notTaken]
}

extension Rejection {
  static func askedFirst(title: String) -> Rejection {
    Rejection(
      .askedFirst,
      "'\(title)' asks before it is left; answer it, then write the command again")
  }

  static func notTaken(label: String) -> Rejection {
    Rejection(.notTaken, "'\(label)' does not take this value")
  }
}
