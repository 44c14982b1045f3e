internal import Support

// Rules for lines that are valid, but that the app can't carry out.
extension Rule {
  static let noSuchCode = Rule(
    "no-such-code", means: "`:explain` knows no such code.",
    remedy: "Use the suggested one; `appcore explain` lists all.")

  static let askedFirst = Rule(
    "asked-first",
    means: "`:open` or `:dismiss` would leave a screen that has its own action for leaving, such "
      + "as asking whether to discard changes. That action was sent; the screen stays until you "
      + "answer.",
    remedy: "Answer what the screen asks; then write the command again.")

  static let notTaken = Rule(
    "not-taken", means: "The control does not take this value now.",
    remedy: "Look at the screen again.")

  static let crashed = Rule(
    "crashed",
    means:
      "A plugin's code ended the app's process, or never returned, while the line was carried out. "
      + "The app is as it was before the line.",
    remedy: "`:explain crash` shows what is known about it. Send the line again to try once more.")

  static let notSuspended = Rule(
    "not-suspended", means: "`:resume` names a plugin that is not suspended.",
    remedy: "Nothing needs to be done.")

  static let answerRules: [Rule] = [.noSuchCode, .askedFirst, .notTaken, .crashed, .notSuspended]
}
