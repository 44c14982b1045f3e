@_spi(Host) internal import AppCore

extension TestStore {
  /// Waits until no effect is running, for at most ``timeout`` unless given, and asserts that no
  /// received action is left.
  public func finish(
    timeout limit: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = TestSite(fileID, filePath, line, column)
    ledger.site = site
    let limit = limit ?? timeout
    if await !wait(upTo: limit, until: { ledger.isQuiet }) {
      ledger.fail(.running(ledger.running, "At 'finish', after \(limit)"), at: site)
      reporting { store.endEffects() }
    }
    settleReceived(before: "'finish'", at: site)
    let changes = exhaustivity == .off ? [] : sharedChanges(since: shared)
    shared = sharedNow
    guard !changes.isEmpty else { return }
    if exhaustivity.showsSkipped {
      TestReporter.note("Not asserted by the test's end:", changes, at: site)
    } else {
      ledger.fail(.unassertedChange("by the test's end", changes), at: site)
    }
  }

  /// Skips received actions that have not been asserted, and keeps their state changes; if there are
  /// none, it fails unless `strict` is `false`.
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

  /// Cancels the running effects; if there are none, it fails unless `strict` is `false`.
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
      TestReporter.note("Effects were cancelled that were started by:", running, at: site)
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
