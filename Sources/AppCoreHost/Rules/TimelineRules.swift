package import Support

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

  /// All rules for timelines.
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

  static func notRecorded(_ path: String, reason: String) -> Rejection {
    Rejection(.notRecorded, "the recording can't be written to '\(path)': \(reason)")
  }
}
