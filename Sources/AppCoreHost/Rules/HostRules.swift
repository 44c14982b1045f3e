package import Support

/// The rules of this module; what they mean, and what helps, is in `HostRules.md`.
extension Rule {
  private static let catalogue = RuleCatalogue(PackageResources.HostRules_md)

  static let noSuchCode = catalogue["no-such-code"]
  static let askedFirst = catalogue["asked-first"]
  static let notTaken = catalogue["not-taken"]
  static let crashed = catalogue["crashed"]
  static let notSuspended = catalogue["not-suspended"]
  static let notDrawn = catalogue["not-drawn"]

  package static let noSuchPlugin = catalogue["no-such-plugin"]
  static let pluginLinked = catalogue["plugin-linked"]
  static let pluginRenamed = catalogue["plugin-renamed"]
  static let pluginDoesNotFit = catalogue["plugin-does-not-fit"]
  static let pluginNotMade = catalogue["plugin-not-made"]
  static let manifestNotReloaded = catalogue["manifest-not-reloaded"]
  static let notRunning = catalogue["not-running"]

  static let noHistory = catalogue["no-history"]
  static let noSuchStep = catalogue["no-such-step"]
  static let stepNotShown = catalogue["step-not-shown"]
  static let notRewound = catalogue["not-rewound"]
  package static let rewound = catalogue["rewound"]
  static let onlyShown = catalogue["only-shown"]
  package static let notRecorded = catalogue["not-recorded"]

  static let answerRules = catalogue.rules(of: "Answers")
  package static let reloadRules = catalogue.rules(of: "Reloads")
  package static let timelineRules = catalogue.rules(of: "Timelines")
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
