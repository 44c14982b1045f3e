@_spi(Host) internal import AppCore

extension TestStore {
  /// Compares the state with the test's expectation.
  ///
  /// If exhaustive, `update` starts with the state before and must lead to `actual`; otherwise it
  /// starts with `actual` and must change nothing.
  func check(
    _ actual: State, _ actualShared: SharedSnapshot, after deed: TestFailure.Deed,
    _ update: ((inout State) throws -> Void)?, at site: TestSite
  ) {
    let isExhaustive = exhaustivity == .on
    var before = AssertedState(state, shared)
    before.shared.add(newIn: actualShared)
    let actual = AssertedState(actual, actualShared)
    defer { (state, shared) = (actual.state, actual.shared) }
    var expected = isExhaustive ? before : actual
    var reports: [String] = []
    do {
      if let update { reports = try expected.change(with: dependencies, update) }
    } catch {
      return ledger.fail(.thrown(deed, "\(error)"), at: site)
    }
    if isExhaustive, update != nil, expected == before, actual == before {
      return ledger.fail(.noChange(deed), reports: reports, at: site)
    }
    if expected != actual {
      return ledger.fail(
        .state(deed, difference: expected.difference(to: actual), isAsserted: update != nil),
        reports: reports, at: site)
    }
    for report in reports { ledger.fail(.issue(report), at: site) }
    if exhaustivity.showsSkipped { showSkipped(from: before, to: actual, deed, update, site) }
  }

  /// Shows the parts of a change that the test did not assert.
  private func showSkipped(
    from before: AssertedState<State>, to actual: AssertedState<State>, _ deed: TestFailure.Deed,
    _ update: ((inout State) throws -> Void)?, _ site: TestSite
  ) {
    var asserted = before
    if let update { _ = try? asserted.change(with: dependencies, update) }
    guard asserted != actual else { return }
    let lines = asserted.difference(to: actual)
    let text = ["Not asserted \(deed):", ""] + lines.map { "    \($0)" }
    TestReporter.note(text.joined(separator: "\n"), at: site)
  }

  /// The current shared values.
  var sharedNow: SharedSnapshot { dependencies.sharedStorage.snapshot() }

  /// The changes to shared values since `before`, as lines.
  func sharedChanges(since before: SharedSnapshot) -> [String] {
    StateDifference.unassertedLines(from: before, to: sharedNow)
  }

  /// Asserts the current state, and the changes that effects have made to shared values meanwhile.
  ///
  /// - Parameters:
  ///   - update: receives the asserted state, and sets what is expected; any change to the state
  ///     fails the test. If exhaustive, changed shared values are asserted by changing them here,
  ///     as in `$0.$count.withLock { $0 = 1 }`.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  public func assert(
    _ update: (inout State) throws -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let site = TestSite(fileID: fileID, filePath: filePath, line: line, column: column)
    // Changes by actions that are yet to be received are asserted with those actions.
    let current = AssertedState(state, ledger.received.isEmpty ? sharedNow : shared)
    var expected = exhaustivity == .on ? AssertedState(state, shared) : current
    expected.shared.add(newIn: current.shared)
    let reports: [String]
    do {
      reports = try expected.change(with: dependencies, update)
    } catch {
      return ledger.fail(.thrown(.asserting, "\(error)"), at: site)
    }
    shared = current.shared
    guard expected != current else {
      for report in reports { ledger.fail(.issue(report), at: site) }
      return
    }
    ledger.fail(
      .state(.asserting, difference: expected.difference(to: current), isAsserted: true),
      reports: reports, at: site)
  }

  /// Waits in real time until a condition holds.
  ///
  /// - Returns: `false` if it does not hold within `limit`.
  func wait(upTo limit: Duration, until isSo: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    var turns = 0
    while !isSo() {
      guard ContinuousClock.now < deadline else { return false }
      turns += 1
      // Most waits only need a turn of the executor, and no time.
      if turns < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
    return true
  }
}
