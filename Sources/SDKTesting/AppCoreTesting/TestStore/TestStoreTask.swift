internal import AppCore

/// The effects of an action that a test sent, with those of the actions that they send in turn.
public struct TestStoreTask: Sendable {
  private let task: StoreTask?
  /// What the test did, for people.
  private let origin: String
  private let timeout: Duration

  init(_ task: StoreTask?, of origin: String, timeout: Duration) {
    self.task = task
    self.origin = origin
    self.timeout = timeout
  }

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { task?.isCancelled ?? false }

  /// Cancels the effects and waits until they have ended, for at most 10 seconds if one ignores
  /// cancellation.
  ///
  /// The store's `timeout` does not apply here: it is for what the test is about.
  public func cancel() async {
    task?.cancel()
    _ = await hasEnded(within: .seconds(10))
  }

  /// Waits until the effects have ended, for at most the store's `timeout` unless given.
  public func finish(
    timeout limit: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let limit = limit ?? timeout
    guard await !hasEnded(within: limit) else { return }
    let failure = TestFailure.running([origin], "At 'finish' of a task, after \(limit)")
    TestReporter.fail("\(failure)", at: TestSite(fileID, filePath, line, column))
  }

  private func hasEnded(within limit: Duration) async -> Bool {
    await wait(upTo: limit) { task?.hasEnded ?? true }
  }
}

/// Waits in real time until a condition holds; returns `false` if it does not hold within `limit`.
nonisolated(nonsending) func wait(
  upTo limit: Duration, until condition: () -> Bool
) async -> Bool {
  let deadline = ContinuousClock.now + limit
  var turns = 0
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    turns += 1
    // Most waits only need a turn of the executor, and no time.
    if turns < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
  }
  return true
}
