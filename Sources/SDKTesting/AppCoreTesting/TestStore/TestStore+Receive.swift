@_spi(Host) public import AppCore

// Each call waits, in real time, for at most `limit`, by default `timeout`. It takes a closure that
// applies the expected changes to the state; without it, the state must not change.

extension TestStore {
  /// Asserts the next action that effects have sent: by `==`, or part by part where there is none.
  public func receive(
    _ expected: Action, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let matcher = ActionMatcher<Action>(
      text: describe(expected), compare: { .of(expected, $0) },
      difference: { StateDifference.lines(expected: expected, actual: $0) })
    await receive(matcher, limit, update, TestSite(fileID, filePath, line, column))
  }

  /// Asserts that the next action that effects have sent is of a given case, as in `/Action.child`.
  public func receive<Value>(
    _ path: CasePath<Action, Value>, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      ActionMatcher(path.cases) { path.extract($0) != nil }, limit, update,
      TestSite(fileID, filePath, line, column))
  }

  /// Asserts that the next action that effects have sent is of a given case and has a given value.
  public func receive<Value: Equatable>(
    _ path: CasePath<Action, Value>, _ value: Value, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let matcher = ActionMatcher<Action>(
      text: describe(path.embed(value)),
      compare: { path.extract($0) == value ? .equal : .different },
      difference: { StateDifference.lines(expected: path.embed(value), actual: $0) })
    await receive(matcher, limit, update, TestSite(fileID, filePath, line, column))
  }

  /// Asserts that the next action that effects have sent satisfies `isExpected`.
  public func receive(
    where isExpected: (Action) -> Bool, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await withoutActuallyEscaping(isExpected) { isExpected in
      await receive(
        ActionMatcher("one that is as the test's closure says", isExpected), limit, update,
        TestSite(fileID, filePath, line, column))
    }
  }

  /// Asserts that the next action that effects have sent is a child's action of a given case:
  /// `receive(/Action.counter, /Counter.Action.Internal.loaded) { $0.counter.count = 1 }`.
  public func receive<Child, Value>(
    _ path: CasePath<Action, Child>, _ child: CasePath<Child, Value>,
    timeout limit: Duration? = nil, assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      ActionMatcher(path.cases(around: child.cases), path.appending(child).is), limit, update,
      TestSite(fileID, filePath, line, column))
  }

  /// Asserts that the next action that effects have sent is an element's action of a given case:
  /// `receive(/Action.rows, 2, /Row.Action.loaded) { $0.rows[id: 2]?.isLoaded = true }`.
  public func receive<ID: Hashable & Sendable, Child, Value>(
    _ path: CasePath<Action, IdentifiedAction<ID, Child>>, _ id: ID,
    _ child: CasePath<Child, Value>, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      ActionMatcher(
        path.cases(around: "id: \(id), \(child.cases)"), path[id: id].appending(child).is),
      limit, update, TestSite(fileID, filePath, line, column))
  }

  /// Asserts that the next action that effects have sent is a stack element's, of a given case.
  public func receive<Element, Child, Value>(
    _ path: CasePath<Action, StackAction<Element, Child>>, _ id: StackElementID,
    _ child: CasePath<Child, Value>, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      ActionMatcher(
        path.cases(around: "id: \(id), \(child.cases)"), path[id: id].appending(child).is),
      limit, update, TestSite(fileID, filePath, line, column))
  }

  /// Asserts that the next action that effects have sent is a presented child's, of a given case.
  public func receive<Child, Value>(
    _ path: CasePath<Action, PresentationAction<Child>>, _ child: CasePath<Child, Value>,
    timeout limit: Duration? = nil, assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      ActionMatcher(path.cases(around: child.cases), path.appending(child).is), limit, update,
      TestSite(fileID, filePath, line, column))
  }
}

extension TestStore where Action: FeatureAction {
  /// Asserts that the next action that effects have sent is an internal action of a given case.
  public func receive<Value>(
    _ path: CasePath<Action.Internal, Value>, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let kind = CasePath(Action.internal)
    await receive(
      ActionMatcher(kind.cases(around: path.cases), kind.appending(path).is), limit, update,
      TestSite(fileID, filePath, line, column))
  }

  /// Asserts that the next action that effects have sent is a delegate action of a given case.
  public func receive<Value>(
    _ path: CasePath<Action.Delegate, Value>, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let kind = CasePath(Action.delegate)
    await receive(
      ActionMatcher(kind.cases(around: path.cases), kind.appending(path).is), limit, update,
      TestSite(fileID, filePath, line, column))
  }
}

/// The action that a test expects to receive.
struct ActionMatcher<Action> {
  /// The expected action, for people.
  let text: String
  let compare: (Action) -> PartComparison
  /// How an action differs from the expected one.
  let difference: (Action) -> [String]
}

extension ActionMatcher {
  /// Expects an action of a given case.
  init(_ cases: String, _ isExpected: @escaping (Action) -> Bool) {
    self.init(
      text: cases, compare: { isExpected($0) ? .equal : .different }, difference: { _ in [] })
  }
}

extension TestStore {
  private func receive(
    _ matcher: ActionMatcher<Action>, _ limit: Duration?,
    _ update: ((inout State) throws -> Void)?, _ site: TestSite
  ) async {
    ledger.site = site
    let isExhaustive = exhaustivity == .on
    func index() -> Int? {
      let received = ledger.received
      if isExhaustive { return received.indices.first }
      return received.firstIndex { matcher.compare($0.action).isEqual }
        ?? received.firstIndex { matcher.compare($0.action).isIncomparable }
    }
    let limit = limit ?? timeout
    // If no effect is running, no more actions can arrive.
    _ = await wait(upTo: limit) { index() != nil || ledger.isQuiet }
    guard let index = index() else { return failToReceive(matcher.text, limit, site) }
    var taken = ledger.take(index + 1)
    let received = taken.removeLast()
    skip(taken, at: site)
    switch matcher.compare(received.action) {
    case .equal:
      let step = "after receiving \(describe(received.action))"
      check(received.state, received.shared, step, update, at: site)
      // The effect that sent it may still be on its way to a clock.
      return await settle()
    case .different:
      ledger.fail(
        .otherReceived(
          matcher.text, difference: matcher.difference(received.action),
          received: describe(received.action)), at: site)
    case .incomparable(let type):
      ledger.fail(
        "The received action can't be compared with the expected one: \(matcher.text)",
        remedies: [
          "a part of it is a \(type), which has no '=='",
          "receive it by its case: 'await store.receive(/Action.Internal.…)'",
          "or say which one is expected: 'await store.receive(where: { … })'",
        ], at: site)
    }
    (state, shared) = (received.state, received.shared)
  }

  /// Fails where no received action is the expected one.
  private func failToReceive(_ expected: String, _ limit: Duration, _ site: TestSite) {
    let received = ledger.received.map { describe($0.action) }
    let running = ledger.running
    let remedies =
      running.isEmpty
      ? [
        "no effect runs that could send it: was the effect returned from the reducer, or was it "
          + "cancelled?"
      ]
      : [
        TestFailure.clockRemedy,
        "an effect that waits for something else needs a dependency that the test puts in its "
          + "place, or more time: 'timeout:'",
      ]
    let started = "effects run that were started by:"
    guard !received.isEmpty else {
      let time = running.isEmpty ? "" : " within \(limit)"
      return ledger.fail(
        "No action was received\(time); expected: \(expected)",
        running.isEmpty ? [] : [started] + running, remedies: remedies, at: site)
    }
    let those = running.isEmpty ? "received actions" : "actions received within \(limit)"
    ledger.fail(
      "None of the \(those) is the expected one: \(expected)",
      ["received:"] + received.map { "  \($0)" }
        + (running.isEmpty ? [] : [started] + running.map { "  \($0)" }),
      remedies: remedies, at: site)
  }
}

extension PartComparison {
  fileprivate var isEqual: Bool { if case .equal = self { true } else { false } }
  fileprivate var isIncomparable: Bool { if case .incomparable = self { true } else { false } }
}
