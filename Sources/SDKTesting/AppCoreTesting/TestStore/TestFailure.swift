/// A failure that a ``TestStore`` reports: what is wrong, the lines that show it, and the remedies.
struct TestFailure: CustomStringConvertible {
  let what: String
  var lines: [String] = []
  /// Explains the marks in the lines.
  var key: String?
  let remedies: [String]

  var description: String {
    var parts = [what]
    if !lines.isEmpty { parts += [""] + lines.map { "    \($0)" } + [""] }
    if let key { parts += [key, ""] }
    return (parts + remedies.map { "  - \($0)" }).joined(separator: "\n")
  }
}

// What several places report. A step is what the test did, as in `after sending .closeTapped`.
extension TestFailure {
  static let clockRemedy =
    "an effect that waits for a clock continues when the test advances it: "
    + "'await clock.advance(by:)'"

  /// The state differs from the one that the test's closure expects.
  static func wrongState(_ step: String, _ difference: [String]) -> Self {
    Self(
      what: "The state is not as expected \(step):", lines: difference,
      key: "(expected: -, actual: +)",
      remedies: ["correct the closure that says what changes, or the reducer"])
  }

  /// The state has changed where the test expects no change.
  static func unassertedChange(_ step: String, _ difference: [String]) -> Self {
    Self(
      what: "The state changed unexpectedly \(step):", lines: difference,
      key: "(expected: -, actual: +)",
      remedies: [
        "say what changes in a trailing closure: { $0.… = … }", "or correct the reducer",
      ])
  }

  /// Actions were received and not asserted before the next step.
  static func unasserted(_ actions: [Any], before step: String) -> Self {
    let limit = 100
    let rest = actions.count - limit
    return Self(
      what: "\(count(actions)) received and not asserted before \(step):",
      lines: actions.prefix(limit).map(describe) + (rest > 0 ? ["… and \(rest) more"] : []),
      remedies: [
        "assert each with 'await store.receive(…)'",
        "or leave them out with 'await store.skipReceivedActions()' or 'exhaustivity = .off'",
      ])
  }

  /// Another action was received than expected.
  static func otherReceived(
    _ expected: String, difference: [String] = [], received: String
  ) -> Self {
    Self(
      what: "Another action was received than expected: \(expected)",
      lines: difference.isEmpty ? ["received: \(received)"] : difference,
      key: difference.isEmpty ? nil : "(expected: -, received: +)",
      remedies: [
        "actions are received in the order in which effects send them: assert the received one "
          + "first, or correct the effect"
      ])
  }

  /// Effects are still running.
  static func running(_ actions: [String], _ step: String) -> Self {
    Self(
      what: "\(step) effects still run that were started by:", lines: actions,
      remedies: [
        clockRemedy,
        "an effect without end is ended by the feature's own action, or by 'cancel()' of the task "
          + "that 'send' returned",
        "or leave it out with 'await store.skipInFlightEffects()'",
      ])
  }

  /// Actions of `.send` effects cause each other endlessly.
  static func endless(_ dropped: String) -> Self {
    Self(
      what: "Actions answer each other without end: 100,000 have been reduced in a row, and "
        + "\(dropped) was dropped.",
      remedies: [
        "return '.none' for the action with which the chain is to end",
        "an effect that repeats an action waits in between: '.timer(every:)', or a sleep on 'clock'",
      ])
  }

  static func nothingToSkip(_ what: String) -> Self {
    Self(
      what: "There \(what) to skip.",
      remedies: ["leave the line out, or say 'strict: false' where it depends"])
  }

  /// The feature sent internal actions to itself with `.send` effects.
  static func sentToItself(_ actions: [String]) -> Self {
    var counts: [(item: String, count: Int)] = []
    for action in actions {
      if let index = counts.firstIndex(where: { $0.item == action }) {
        counts[index].count += 1
      } else {
        counts.append((action, 1))
      }
    }
    return Self(
      what: "\(count(actions)) sent by the feature to itself:",
      lines: counts.map { $0.count == 1 ? $0.item : "\($0.item)  (\($0.count) times)" },
      remedies: [
        "an effect that is nothing but an internal action is a method call in disguise: put what "
          + "the actions share into a method that returns an Effect, and call it from both",
        "or allow it: 'store.sendChainLimit = nil'",
      ])
  }

  private static func count(_ actions: [Any]) -> String {
    actions.count == 1 ? "1 action was" : "\(actions.count) actions were"
  }
}
