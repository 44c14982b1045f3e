@_spi(Host) internal import AppCore

extension TestStore {
  /// Waits until no effect is running, and asserts that no received action is left.
  ///
  /// - Parameters:
  ///   - limit: how long to wait in real time; by default ``timeout``.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  public func finish(
    timeout limit: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = TestSite(fileID, filePath, line, column)
    ledger.site = site
    let limit = limit ?? timeout
    if await !wait(upTo: limit, until: { ledger.isQuiet }) {
      ledger.fail(
        .running(ledger.running, deed: "At 'finish',", limit: limit), at: site)
      reporting { store.endEffects() }
    }
    settleReceived(before: "'finish'", at: site)
    let changes = exhaustivity == .on ? sharedChanges(since: shared) : []
    shared = sharedNow
    guard !changes.isEmpty else { return }
    ledger.fail(.state(.finishing, difference: changes, isAsserted: false), at: site)
  }

  /// Skips received actions that have not been asserted; their state changes are kept.
  ///
  /// - Parameters:
  ///   - strict: whether it is a failure if there are none.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  public func skipReceivedActions(
    strict: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = TestSite(fileID, filePath, line, column)
    ledger.site = site
    await settle()
    let count = ledger.received.count
    if count == 0, strict { ledger.fail(.nothingToSkip("are no received actions"), at: site) }
    skip(ledger.take(count), at: site)
  }

  /// Cancels the running effects.
  ///
  /// - Parameters:
  ///   - strict: whether it is a failure if there are none.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  public func skipInFlightEffects(
    strict: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = TestSite(fileID, filePath, line, column)
    ledger.site = site
    await settle()
    let running = ledger.running
    if running.isEmpty, strict { ledger.fail(.nothingToSkip("are no effects"), at: site) }
    if !running.isEmpty, exhaustivity.showsSkipped {
      let lines =
        ["Effects were cancelled that were started by:", ""]
        + running.map { "    \($0)" }
      TestReporter.note(lines.joined(separator: "\n"), at: site)
    }
    reporting { store.endEffects() }
  }

  /// Runs `operation` with another exhaustivity.
  public func withExhaustivity<Result>(
    _ exhaustivity: Exhaustivity, operation: @MainActor () async throws -> Result
  ) async rethrows -> Result {
    let before = self.exhaustivity
    self.exhaustivity = exhaustivity
    defer { self.exhaustivity = before }
    return try await operation()
  }
}
