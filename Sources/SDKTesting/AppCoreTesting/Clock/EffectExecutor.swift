@_spi(Host) internal import AppCore
internal import Dispatch
internal import Synchronization

/// Runs the work of a test's effects off the main actor, and knows when none of it is left.
///
/// Whether an effect still has something to do can't be asked of a task. Where all of its work passes
/// through here or the main actor it can be counted: while nothing of it waits or runs here, and
/// turns of the main actor bring nothing new, the effect waits for something else.
final class EffectExecutor: TaskExecutor {
  private struct Jobs {
    var unfinished = 0
    var total = 0
  }
  private let jobs = Mutex(Jobs())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock {
      $0.unfinished += 1
      $0.total += 1
    }
    // Dispatch's threads: Swift's pool has as many as there are cores, and other tests block them.
    DispatchQueue.global().async {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      self.jobs.withLock { $0.unfinished -= 1 }
    }
  }

  /// How many jobs there have been; `nil` while one waits or runs.
  private var totalAtRest: Int? { jobs.withLock { $0.unfinished == 0 ? $0.total : nil } }

  /// How many turns must bring nothing new until effects are taken to wait for something else.
  private static let quietTurns = 256

  /// Returns when every effect has ended, sleeps on a clock, or waits for something that is not a
  /// clock and that nothing here can bring about.
  ///
  /// - Parameters:
  ///   - account: the effects' store's.
  ///   - limit: how long effects may run, in real time.
  /// - Returns: `false` if effects were still running then.
  @MainActor
  func settle(_ account: ActivityAccount, within limit: Duration) async -> Bool {
    let deadline = ContinuousClock.now + limit
    var quiet = 0
    var restless = 0
    while !account.isSettled, quiet < Self.quietTurns {
      let before = totalAtRest
      await Task.yield()
      // What runs on Swift's pool all the same, such as a task that an effect made, gets turns too.
      if quiet % 8 == 7 { await Task.detached(priority: .background) {}.value }
      if let before, before == totalAtRest {
        quiet += 1
        continue
      }
      quiet = 0
      restless += 1
      guard restless > 64 else { continue }
      guard ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .microseconds(200))
    }
    return true
  }
}
