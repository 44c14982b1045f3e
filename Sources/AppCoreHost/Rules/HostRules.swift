package import Support

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

  static let notDrawn = Rule(
    "not-drawn", means: "The picture of the screen can't be written.",
    remedy: "Correct what the system's reason names, or give another file.")

  static let answerRules: [Rule] = [
    .noSuchCode, .askedFirst, .notTaken, .crashed, .notSuspended, .notDrawn,
  ]
}

// Rules for replacing the running build of a plugin, or the running manifest.
extension Rule {
  package static let noSuchPlugin = Rule(
    "no-such-plugin", means: "The app has no plugin of that name.",
    remedy: "Use the suggested one; `:plugins` lists them.")

  static let pluginLinked = Rule(
    "plugin-linked",
    means: "The plugin is part of the program that embeds the app, and has no file to be loaded "
      + "again.",
    remedy: "Rebuild the program.")

  static let pluginRenamed = Rule(
    "plugin-renamed",
    means: "The file is another plugin now. A plugin keeps its name while its app runs.",
    remedy: "Give it its name back, or start the app again with a manifest that has the new one.")

  static let pluginDoesNotFit = Rule(
    "plugin-does-not-fit",
    means: "The new build does not fit the manifest: an action or an argument that the manifest "
      + "uses is gone or has another type, or the version does not meet its requirement. The "
      + "message is the one that `appcore check` would print.",
    remedy:
      "Make plugin and manifest agree; `:reload` without a name reads a manifest that has changed.")

  static let pluginNotMade = Rule(
    "plugin-not-made",
    means: "The new build rejects its configuration. The message has its reason.",
    remedy: "Correct what the reason names.")

  static let manifestNotReloaded = Rule(
    "manifest-not-reloaded",
    means: "A changed manifest has problems, or a plugin that it names can't be loaded or made. "
      + "The message has the first of them. The app keeps the previous manifest.",
    remedy: "Correct the manifest; `appcore check` lists all of its problems.")

  static let notRunning = Rule(
    "not-running", means: "The app has ended, or is stuck.",
    remedy: "Start it again.")

  package static let reloadRules: [Rule] = [
    .noSuchPlugin, .pluginLinked, .pluginRenamed, .pluginDoesNotFit, .pluginNotMade,
    .manifestNotReloaded,
    .notRunning,
  ]
}

// Rules for showing past steps, and for writing recordings.
extension Rule {
  static let noHistory = Rule(
    "no-history",
    means: "No steps are kept: the history is off, or the app has not done anything yet.",
    remedy: "Run the app with `--history-limit 16M`, which is the default.")

  static let noSuchStep = Rule(
    "no-such-step",
    means:
      "There is no step of that number, or it is not kept any more: after a crash the history begins "
      + "anew.",
    remedy:
      "`:timeline` lists the last steps; `--history-limit` keeps more of them, and `--record` all.")

  static let stepNotShown = Rule(
    "step-not-shown",
    means: "The step can't be shown with the manifest and the plugins as they are now.",
    remedy: "Correct what the reason names.")

  static let notRewound = Rule(
    "not-rewound", means: "The app shows the present, and the command needs a past step.",
    remedy: "Write `:rewind` or `:goto N` first.")

  package static let rewound = Rule(
    "rewound",
    means: "A past step is shown. Nothing in it can be pressed: it is not what the app is now.",
    remedy: "`:now` shows the present; `:continue` makes the step that is shown the present one.")

  static let onlyShown = Rule(
    "only-shown", means: "A recording is opened to be looked at: nothing of the app runs.",
    remedy: "`appcore run` with the same manifest runs the app.")

  package static let notRecorded = Rule(
    "not-recorded", means: "The recording can't be written.",
    remedy: "Correct what the system's reason names, or give another file.")

  package static let timelineRules: [Rule] = [
    .noHistory, .noSuchStep, .stepNotShown, .notRewound, .rewound, .onlyShown, .notRecorded,
  ]
}

extension Rejection {
  static func noSuchStep(_ number: Int, in numbers: Range<Int>) -> Rejection {
    let kept =
      numbers.count == 1
      ? "only step \(numbers.lowerBound) is kept"
      : "steps \(numbers.lowerBound) to \(numbers.upperBound - 1) are kept"
    return Rejection(.noSuchStep, "there is no step \(number); \(kept)")
  }

  static func notShown(_ number: Int, reason: String) -> Rejection {
    Rejection(.stepNotShown, "step \(number) can't be shown: \(reason)")
  }

  static var onlyShown: Rejection {
    Rejection(
      .onlyShown, "this is a recording, and nothing runs; 'appcore run' runs the app")
  }

  static func notDrawn(_ path: String, reason: String) -> Rejection {
    Rejection(.notDrawn, "the picture can't be written to '\(path)': \(reason)")
  }

  static func notRecorded(_ path: String, reason: String) -> Rejection {
    Rejection(.notRecorded, "the recording can't be written to '\(path)': \(reason)")
  }
}
