@_spi(Host) internal import AppCore

extension TestStore {
  /// Compares the state with the test's expectation.
  ///
  /// If exhaustive, `update` starts with the state before and must lead to `actual`; otherwise it
  /// starts with `actual` and must change nothing.
  func check(
    _ actual: State, _ actualShared: SharedSnapshot, _ step: String,
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
      return failAsThrown(error, step, site)
    }
    if isExhaustive, update != nil, expected == before, actual == before {
      return ledger.fail(
        "A change was expected \(step), and the closure changes nothing.",
        remedies: [
          "leave the closure out, if the state is to stay as it is",
          "or let it set what is expected; it begins with the state before the action",
        ], reports: reports, at: site)
    }
    if expected != actual {
      let difference = expected.difference(to: actual)
      return ledger.fail(
        update == nil ? .unassertedChange(step, difference) : .wrongState(step, difference),
        reports: reports, at: site)
    }
    for report in reports { TestReporter.fail(report, at: site) }
    if exhaustivity.showsSkipped { showSkipped(from: before, to: actual, step, update, site) }
  }

  /// Shows the parts of a change that the test did not assert.
  private func showSkipped(
    from before: AssertedState<State>, to actual: AssertedState<State>, _ step: String,
    _ update: ((inout State) throws -> Void)?, _ site: TestSite
  ) {
    var asserted = before
    if let update { _ = try? asserted.change(with: dependencies, update) }
    guard asserted != actual else { return }
    TestReporter.note("Not asserted \(step):", asserted.difference(to: actual), at: site)
  }

  private func failAsThrown(_ error: any Error, _ step: String, _ site: TestSite) {
    TestReporter.fail(
      "The closure that says what is expected \(step) threw an error: \(error)", at: site)
  }

  /// The current shared values.
  var sharedNow: SharedSnapshot { dependencies.sharedStorage.snapshot() }

  /// The changes to shared values since `before`, as lines.
  func sharedChanges(since before: SharedSnapshot) -> [String] {
    StateDifference.unassertedLines(from: before, to: sharedNow)
  }

  // If exhaustive, `update` asserts changed shared values by changing them, as in
  // `$0.$count.withLock { $0 = 1 }`.
  /// Asserts the current state, and the changes that effects have made to shared values meanwhile;
  /// it fails if `update` changes the state.
  public func assert(
    _ update: (inout State) throws -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let site = TestSite(fileID, filePath, line, column)
    // Changes by actions that are yet to be received are asserted with those actions.
    let current = AssertedState(state, ledger.received.isEmpty ? sharedNow : shared)
    var expected = exhaustivity == .on ? AssertedState(state, shared) : current
    expected.shared.add(newIn: current.shared)
    let reports: [String]
    do {
      reports = try expected.change(with: dependencies, update)
    } catch {
      return failAsThrown(error, "in 'assert'", site)
    }
    shared = current.shared
    guard expected != current else {
      for report in reports { TestReporter.fail(report, at: site) }
      return
    }
    ledger.fail(
      .wrongState("in 'assert'", expected.difference(to: current)), reports: reports, at: site)
  }
}
