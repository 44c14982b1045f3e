@_spi(Host) internal import AppCore
internal import Synchronization

/// Actions and effects of a test's store that the test has not asserted yet.
///
/// Written on the main actor; read where the test releases its store, on any thread.
final class TestLedger<State, Action: Sendable>: @unchecked Sendable {
  // Unchecked: everything is behind the mutex, and a state leaves it on the main actor only.
  struct Received {
    let action: Action
    /// The state after the action was reduced.
    var state: State
    /// The shared values after the action was reduced.
    var shared: SharedSnapshot
  }

  private struct Content {
    var received: [Received] = []
    var running: [Action?] = []
    var sentToItself: [Action] = []
    var exhaustivity = Exhaustivity.on
    var sendChainLimit: Int? = 3
    var isClosed = false
  }
  private let mutex: Mutex<Void> = Mutex(())
  private var content = Content()
  /// The test's last call; failures outside of a call are reported there.
  let position: TestPosition

  init(_ site: TestSite) { position = TestPosition(site) }

  private func access<Result>(_ body: (inout Content) -> Result) -> Result {
    mutex.withLock { _ in body(&content) }
  }

  var exhaustivity: Exhaustivity {
    get { access { $0.exhaustivity } }
    set { access { $0.exhaustivity = newValue } }
  }
  var sendChainLimit: Int? {
    get { access { $0.sendChainLimit } }
    set { access { $0.sendChainLimit = newValue } }
  }
  var site: TestSite {
    get { position.site }
    set { position.site = newValue }
  }
  var received: [Received] { access { $0.received } }
  /// Whether no effect is running.
  var isQuiet: Bool { access { $0.running.isEmpty } }
  /// The actions that started the running effects, or the start of the feature, for people.
  var running: [String] {
    access { $0.running }.map { $0.map { describe($0) } ?? "the start of the feature" }
  }

  /// Records the actions whose effects are running.
  func note(running: [Action?]) { access { $0.running = running } }

  func add(_ action: Action, _ state: State, _ shared: SharedSnapshot) {
    access { $0.received.append(Received(action: action, state: state, shared: shared)) }
  }

  /// Sets the state after the first `count` received actions, which the test did not assert.
  func rebase(_ count: Int, on state: State, _ shared: SharedSnapshot) {
    access { content in
      for index in content.received.indices.prefix(count) {
        content.received[index].state = state
        content.received[index].shared = shared
      }
    }
  }

  /// Removes and returns the first `count` received actions.
  func take(_ count: Int) -> [Received] {
    access { content in
      defer { content.received.removeFirst(count) }
      return Array(content.received.prefix(count))
    }
  }

  /// Fails the test.
  ///
  /// - Parameters:
  ///   - failure: what is wrong.
  ///   - reports: the misuses that the test's closure reported.
  ///   - site: the place in the test; by default its last call.
  func fail(_ failure: TestFailure, reports: [String] = [], at site: TestSite? = nil) {
    let title = "The closure that says what is expected reported:"
    let lines = reports.flatMap { $0.split(separator: "\n").map { "    \($0)" } }
    let text = ["\(failure)"] + (reports.isEmpty ? [] : ["", title, ""] + lines)
    TestReporter.fail(text.joined(separator: "\n"), at: site ?? self.site)
  }

  func fail(
    _ what: String, _ lines: [String] = [], remedies: [String], reports: [String] = [],
    at site: TestSite? = nil
  ) {
    fail(TestFailure(what: what, lines: lines, remedies: remedies), reports: reports, at: site)
  }

  /// Fails the test as soon as a chain of actions is longer than allowed, and records the actions
  /// that a feature sends to itself.
  func check(_ action: ReducedAction<Action>) {
    guard let limit = sendChainLimit else { return }
    if action.chainLength == limit + 1 {
      fail(
        "Effects sent \(limit + 1) actions directly, each in answer to the one before; "
          + "'sendChainLimit' is \(limit):",
        action.chain.map(describe),
        remedies: [
          "put what the actions share into a method that returns an Effect, or that takes a Send, "
            + "and call it where it is needed",
          "or allow it: 'store.sendChainLimit = \(limit + 1)', or nil for no limit",
        ])
    } else if action.chainLength > 0, action.chainLength <= limit,
      ActionKind.innermost(of: action.action) == .internal
    {
      access { $0.sentToItself.append(action.action) }
    }
  }

  /// Fails if anything is left at the end of the test, and reports chains of `.send` effects; only
  /// the first call does anything.
  ///
  /// - Parameters:
  ///   - site: where the store was created.
  ///   - changes: the changes to shared values that were not asserted.
  func close(at site: TestSite, unasserted changes: [String]) {
    let wasClosed = access { content in
      defer { content.isClosed = true }
      return content.isClosed
    }
    guard !wasClosed else { return }
    guard exhaustivity == .on else { return showLeftovers(changes, at: site) }
    let sentToItself = access { $0.sentToItself }.map { describe($0) }
    if !sentToItself.isEmpty {
      TestReporter.note("\(TestFailure.sentToItself(sentToItself))", at: site)
    }
    let (received, running) = (received.map(\.action), running)
    if !received.isEmpty { fail(.unasserted(received, before: "the test's end"), at: site) }
    if !running.isEmpty { fail(.running(running, "At the test's end"), at: site) }
    if received.isEmpty, !changes.isEmpty {
      fail(.unassertedChange("by the test's end", changes), at: site)
    }
  }

  /// Shows what is left at the end, if the exhaustivity asks for it.
  private func showLeftovers(_ changes: [String], at site: TestSite) {
    guard exhaustivity.showsSkipped else { return }
    let (received, running) = (received.map { describe($0.action) }, running)
    if !received.isEmpty {
      TestReporter.note("Received and not asserted by the test's end:", received, at: site)
    }
    if !running.isEmpty {
      TestReporter.note("Effects that run at the test's end were started by:", running, at: site)
    }
    if received.isEmpty, !changes.isEmpty {
      TestReporter.note("Not asserted by the test's end:", changes, at: site)
    }
  }
}
