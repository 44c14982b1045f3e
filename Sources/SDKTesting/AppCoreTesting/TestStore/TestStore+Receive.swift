public import AppCore

extension TestStore {
  /// Asserts the next action that effects have sent; waits for it if necessary.
  ///
  /// Actions are compared by `==`; parts that are not `Equatable` are compared structurally.
  ///
  /// - Parameters:
  ///   - expected: the action, as in `.internal(.loaded(1))` or `.delegate(.saved)`.
  ///   - limit: how long to wait in real time; by default ``timeout``.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
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

  /// Asserts that the next action that effects have sent is of a given case.
  ///
  /// - Parameters:
  ///   - path: the case, as in `/Action.child`.
  ///   - limit: how long to wait in real time; by default ``timeout``.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
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
  ///
  /// - Parameters:
  ///   - path: the case, as in `/Action.child`.
  ///   - value: the expected payload.
  ///   - limit: how long to wait in real time; by default ``timeout``.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
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
  ///
  /// - Parameters:
  ///   - isExpected: whether an action is the expected one.
  ///   - limit: how long to wait in real time; by default ``timeout``.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  public func receive(
    where isExpected: (Action) -> Bool, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await withoutActuallyEscaping(isExpected) { isExpected in
      let matcher = ActionMatcher<Action>(
        text: "one that is as the test's closure says",
        compare: { isExpected($0) ? .equal : .different }, difference: { _ in [] })
      await receive(matcher, limit, update, TestSite(fileID, filePath, line, column))
    }
  }
}

extension TestStore where Action: FeatureAction {
  /// Asserts that the next action that effects have sent is an internal action of a given case.
  ///
  /// - Parameters:
  ///   - path: the case, as in `/Action.Internal.loaded`.
  ///   - limit: how long to wait in real time; by default ``timeout``.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  public func receive<Value>(
    _ path: CasePath<Action.Internal, Value>, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let kind: CasePath<Action, Action.Internal> = /Action.internal
    await receive(
      ActionMatcher(kind.cases(around: path.cases)) {
        kind.extract($0).flatMap { path.extract($0) } != nil
      }, limit, update, TestSite(fileID, filePath, line, column))
  }

  /// Asserts that the next action that effects have sent is a delegate action of a given case.
  ///
  /// - Parameters:
  ///   - path: the case, as in `/Action.Delegate.saved`.
  ///   - limit: how long to wait in real time; by default ``timeout``.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  public func receive<Value>(
    _ path: CasePath<Action.Delegate, Value>, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let kind: CasePath<Action, Action.Delegate> = /Action.delegate
    await receive(
      ActionMatcher(kind.cases(around: path.cases)) {
        kind.extract($0).flatMap { path.extract($0) } != nil
      }, limit, update, TestSite(fileID, filePath, line, column))
  }
}

/// The action that a test expects to receive.
struct ActionMatcher<Action> {
  /// The expected action, for people.
  let text: String
  let compare: (Action) -> ActionComparison
  /// How an action differs from the expected one.
  let difference: (Action) -> [String]
}

extension ActionMatcher {
  /// Expects an action of a given case.
  init(_ cases: String, _ isOfCase: @escaping (Action) -> Bool) {
    self.init(
      text: cases,
      compare: { isOfCase($0) ? .equal : .different }, difference: { _ in [] })
  }

  func accepts(_ action: Action) -> Bool {
    if case .equal = compare(action) { true } else { false }
  }
}

extension TestStore {
  func receive(
    _ matcher: ActionMatcher<Action>, _ limit: Duration?,
    _ update: ((inout State) throws -> Void)?, _ site: TestSite
  ) async {
    ledger.site = site
    let isExhaustive = exhaustivity == .on
    func index() -> Int? {
      let received = ledger.received
      return isExhaustive
        ? received.indices.first : received.firstIndex { matcher.accepts($0.action) }
    }
    let limit = limit ?? timeout
    // If no effect is running, no more actions can arrive.
    _ = await wait(upTo: limit) { index() != nil || ledger.isQuiet }
    guard let index = index() else {
      return missing(matcher, limit, site)
    }
    var taken = ledger.take(index + 1)
    let received = taken.removeLast()
    skip(taken, at: site)
    switch matcher.compare(received.action) {
    case .equal:
      check(
        received.state, received.shared, after: .receiving(describe(received.action)), update,
        at: site)
      // The effect that sent it may still be on its way to a clock.
      await settle()
    case .different:
      ledger.fail(
        .otherReceived(
          expected: matcher.text, difference: matcher.difference(received.action),
          received: describe(received.action)), at: site)
      (state, shared) = (received.state, received.shared)
    case .incomparable(let type):
      ledger.fail(.incomparable(expected: matcher.text, type: type), at: site)
      (state, shared) = (received.state, received.shared)
    }
  }

  private func missing(_ matcher: ActionMatcher<Action>, _ limit: Duration, _ site: TestSite) {
    let received = ledger.received.map { describe($0.action) }
    guard received.isEmpty else {
      return ledger.fail(
        .otherReceived(
          expected: matcher.text, difference: [], received: received.joined(separator: ", ")),
        at: site)
    }
    let running = ledger.running
    ledger.fail(
      .nothingReceived(
        expected: matcher.text, running: running, afterTimeout: running.isEmpty ? nil : limit),
      at: site)
  }
}
