@_spi(Host) internal import AppCore

extension TestStore {
  /// Compares the state with the test's expectation.
  ///
  /// Exhaustively, `update` begins with the state before and must lead to `actual`; otherwise it
  /// begins with `actual` and must change nothing.
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
    do {
      if let update { try expected.change(update) }
    } catch {
      return ledger.fail(.thrown(deed, "\(error)"), at: site)
    }
    if isExhaustive, update != nil, expected == before, actual == before {
      return ledger.fail(.noChange(deed), at: site)
    }
    if expected != actual {
      return ledger.fail(
        .state(deed, difference: expected.difference(to: actual), isAsserted: update != nil),
        at: site)
    }
    if exhaustivity.showsSkipped { showSkipped(from: before, to: actual, deed, update, site) }
  }

  /// Shows what of a change the test left out.
  private func showSkipped(
    from before: AssertedState<State>, to actual: AssertedState<State>, _ deed: TestFailure.Deed,
    _ update: ((inout State) throws -> Void)?, _ site: TestSite
  ) {
    var asserted = before
    if let update { try? asserted.change(update) }
    guard asserted != actual else { return }
    let lines = asserted.difference(to: actual)
    let text = ["Not asserted \(deed):", ""] + lines.map { "    \($0)" }
    TestReporter.note(text.joined(separator: "\n"), at: site)
  }

  /// The shared values now.
  var sharedNow: SharedSnapshot { dependencies.sharedStorage.snapshot() }

  /// What of the shared values has changed, as lines.
  func sharedChanges(since before: SharedSnapshot) -> [String] {
    StateDifference.lines(from: before, to: sharedNow)
  }

  /// Asserts the current state, and what effects have changed of shared values meanwhile.
  ///
  /// - Parameters:
  ///   - update: exhaustively, is given the asserted state, which it may only leave as it is;
  ///     otherwise, sets what is expected. Changed shared values are
  ///     asserted by changing them here, as in `$0.$count.withLock { $0 = 1 }`.
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
    // What actions that wait to be received have changed is asserted with them.
    let current = AssertedState(state, ledger.received.isEmpty ? sharedNow : shared)
    var expected = exhaustivity == .on ? AssertedState(state, shared) : current
    expected.shared.add(newIn: current.shared)
    do {
      try expected.change(update)
    } catch {
      return ledger.fail(.thrown(.asserting, "\(error)"), at: site)
    }
    shared = current.shared
    guard expected != current else { return }
    ledger.fail(
      .state(.asserting, difference: expected.difference(to: current), isAsserted: true), at: site)
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
