/// A failure that a ``TestStore`` reports.
enum TestFailure {
  /// What the test did.
  enum Deed {
    case sending(String)
    case receiving(String)
    case starting
    case resuming
    case ending
    case asserting
    case finishing
  }
  /// The state differs from the one that the test expects.
  case state(Deed, difference: [String], isAsserted: Bool)
  /// A change was expected, but the test's closure changes nothing.
  case noChange(Deed)
  /// Actions were received and not asserted.
  case unasserted([String], before: String)
  /// There was no action to receive.
  case nothingReceived(expected: String, running: [String], afterTimeout: Duration?)
  /// Another action was received than expected.
  case otherReceived(expected: String, difference: [String], received: String)
  /// The expected action can't be compared with the one that was received.
  case incomparable(expected: String, type: String)
  /// Effects are still running.
  case running([String], deed: String, limit: Duration?)
  /// A chain of `.send` effects is longer than allowed.
  case chain([String], limit: Int)
  /// The feature sent internal actions to itself with `.send` effects.
  case sentToItself([String])
  /// The test sent an action that only effects or routes send.
  case boundary(action: String, kind: ActionKind)
  /// The test sent an action after an effect had called `dismiss`.
  case dismissed(action: String)
  /// There was nothing to skip.
  case nothingToSkip(String)
  /// The store reported a misuse.
  case issue(String)
  /// The test's closure threw an error.
  case thrown(Deed, String)
}

extension TestFailure.Deed: CustomStringConvertible {
  var description: String {
    switch self {
    case .sending(let action): "after sending \(action)"
    case .receiving(let action): "after receiving \(action)"
    case .starting: "after starting"
    case .resuming: "after going on"
    case .ending: "after the end"
    case .asserting: "in 'assert'"
    case .finishing: "by the test's end"
    }
  }
}

extension TestFailure: CustomStringConvertible {
  /// What is wrong, what differs, the likely causes, and the remedies.
  var description: String {
    switch self {
    case .state(let deed, let difference, let isAsserted):
      Self.text(
        isAsserted
          ? "The state is not as expected \(deed):" : "The state changed unexpectedly \(deed):",
        difference, key: "(expected: -, actual: +)",
        isAsserted
          ? ["correct the closure that says what changes, or the reducer"]
          : ["say what changes in a trailing closure: { $0.… = … }", "or correct the reducer"])
    case .noChange(let deed):
      Self.text(
        "A change was expected \(deed), and the closure changes nothing.",
        remedies: [
          "leave the closure out, if the state is to stay as it is",
          "or let it set what is expected; it begins with the state before the action",
        ])
    case .unasserted(let actions, let before):
      Self.text(
        "\(Self.count(actions, "action was", "actions were")) received and not asserted before "
          + "\(before):",
        actions,
        remedies: [
          "assert each with 'await store.receive(…)'",
          "or leave them out with 'await store.skipReceivedActions()' or 'exhaustivity = .off'",
        ])
    case .nothingReceived(let expected, let running, let timeout):
      Self.text(
        "No action was received\(timeout.map { " within \($0)" } ?? ""); expected: \(expected)",
        running.isEmpty ? [] : ["effects run that were started by:"] + running,
        remedies: running.isEmpty
          ? [
            "no effect runs that could send it: was the effect returned from the reducer, or was "
              + "it cancelled?"
          ]
          : [
            "an effect that waits for a clock continues when the test advances it: "
              + "'await clock.advance(by:)'",
            "an effect that waits for something else needs a dependency that the test puts in its "
              + "place, or more time: 'timeout:'",
          ])
    case .otherReceived(let expected, let difference, let received):
      Self.text(
        "Another action was received than expected: \(expected)",
        difference.isEmpty ? ["received: \(received)"] : difference,
        key: difference.isEmpty ? nil : "(expected: -, received: +)",
        [
          "actions are received in the order in which effects send them: assert the received one "
            + "first, or correct the effect"
        ])
    case .incomparable(let expected, let type):
      Self.text(
        "The received action can't be compared with the expected one: \(expected)",
        remedies: [
          "a part of it is a \(type), which has no '=='",
          "receive it by its case: 'await store.receive(/Action.Internal.…)'",
          "or say which one is expected: 'await store.receive(where: { … })'",
        ])
    case .running(let actions, let deed, let limit):
      Self.text(
        "\(deed)\(limit.map { " after \($0)" } ?? "") effects still run that were started by:",
        actions,
        remedies: [
          "an effect that waits for a clock continues when the test advances it: "
            + "'await clock.advance(by:)'",
          "an effect without end is ended by the feature's own action, or by 'cancel()' of the "
            + "task that 'send' returned",
          "or leave it out with 'await store.skipInFlightEffects()'",
        ])
    case .chain(let actions, let limit):
      Self.text(
        "Effects sent \(actions.count - 1) actions directly, each in answer to the one before; "
          + "'sendChainLimit' is \(limit):",
        actions,
        remedies: [
          "put what the actions share into a method that returns an Effect, or that takes a Send, "
            + "and call it where it is needed",
          "or allow it: 'store.sendChainLimit = \(actions.count - 1)', or nil for no limit",
        ])
    case .sentToItself(let actions):
      Self.text(
        "\(Self.count(actions, "action was", "actions were")) sent by the feature to itself:",
        Self.counted(actions),
        remedies: [
          "an effect that is nothing but an internal action is a method call in disguise: put what "
            + "the actions share into a method that returns an Effect, and call it from both",
          "or allow it: 'store.sendChainLimit = nil'",
        ])
    case .boundary(let action, let kind):
      Self.text(
        "\(action) is \(kind) action, which nobody but "
          + (kind == .input ? "a route sends." : "the feature's own effects send."),
        remedies: [
          kind == .input
            ? "send it with 'await store.sendInput(…)', as a route would"
            : "send the view action, or start the effect, that brings it about, and receive it"
        ])
    case .dismissed(let action):
      Self.text(
        "\(action) was sent after an effect had called 'dismiss': nobody can send it any more.",
        remedies: [
          "leave it out: a parent removes the child in response to 'dismiss'",
          "what effects sent before can still be received",
        ])
    case .nothingToSkip(let what):
      Self.text(
        "There \(what) to skip.",
        remedies: ["leave the line out, or say 'strict: false' where it depends"])
    case .issue(let text): text
    case .thrown(let deed, let error):
      "The closure that says what is expected \(deed) threw an error: \(error)"
    }
  }

  /// Each item once, with its number of occurrences.
  private static func counted(_ items: [String]) -> [String] {
    var counts: [(item: String, count: Int)] = []
    for item in items {
      if let index = counts.firstIndex(where: { $0.item == item }) {
        counts[index].count += 1
      } else {
        counts.append((item, 1))
      }
    }
    return counts.map { $0.count == 1 ? $0.item : "\($0.item)  (\($0.count) times)" }
  }

  private static func count(_ items: [String], _ one: String, _ many: String) -> String {
    "\(items.count) \(items.count == 1 ? one : many)"
  }

  private static func text(
    _ what: String, _ lines: [String] = [], key: String? = nil, _ remedies: [String]
  ) -> String {
    text(what, lines, key: key, remedies: remedies)
  }

  private static func text(
    _ what: String, _ lines: [String] = [], key: String? = nil, remedies: [String]
  ) -> String {
    var parts = [what]
    if !lines.isEmpty { parts += [""] + lines.map { "    \($0)" } + [""] }
    if let key { parts += [key, ""] }
    return (parts + remedies.map { "  - \($0)" }).joined(separator: "\n")
  }
}
