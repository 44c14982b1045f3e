extension TestStore {
  /// Compares the state with the test's expectation.
  ///
  /// Exhaustively, `update` begins with the state before and must lead to `actual`; otherwise it
  /// begins with `actual` and must change nothing.
  func check(
    _ actual: State, after deed: TestFailure.Deed, _ update: ((inout State) throws -> Void)?,
    at site: TestSite
  ) {
    let isExhaustive = exhaustivity == .on
    let before = state
    defer { state = actual }
    var expected = isExhaustive ? before : actual
    do {
      try update?(&expected)
    } catch {
      return ledger.fail(.thrown(deed, "\(error)"), at: site)
    }
    if isExhaustive, update != nil, expected == before, actual == before {
      return ledger.fail(.noChange(deed), at: site)
    }
    if expected != actual {
      return ledger.fail(
        .state(
          deed, difference: StateDifference.lines(expected: expected, actual: actual),
          isAsserted: update != nil), at: site)
    }
    if exhaustivity.showsSkipped { showSkipped(from: before, to: actual, deed, update, site) }
  }

  /// Shows what of a change the test left out.
  private func showSkipped(
    from before: State, to actual: State, _ deed: TestFailure.Deed,
    _ update: ((inout State) throws -> Void)?, _ site: TestSite
  ) {
    var asserted = before
    try? update?(&asserted)
    guard asserted != actual else { return }
    let lines = StateDifference.lines(expected: asserted, actual: actual)
    let text = ["Not asserted \(deed):", ""] + lines.map { "    \($0)" }
    TestReporter.note(text.joined(separator: "\n"), at: site)
  }

  /// Asserts the current state.
  ///
  /// - Parameters:
  ///   - update: exhaustively, is given the asserted state, which it may only leave as it is;
  ///     otherwise, sets what is expected.
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
    var expected = state
    do {
      try update(&expected)
    } catch {
      return ledger.fail(.thrown(.asserting, "\(error)"), at: site)
    }
    guard expected != state else { return }
    ledger.fail(
      .state(
        .asserting, difference: StateDifference.lines(expected: expected, actual: state),
        isAsserted: true), at: site)
  }

  /// Waits on the machine's clock until something is so.
  ///
  /// - Returns: whether it is.
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
