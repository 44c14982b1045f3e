@_spi(Host) internal import AppCore
internal import Dispatch
internal import Synchronization

/// Runs the work of a test's effects off the main actor, and detects when none of it is left.
///
/// A task can't be asked whether it still has work to do. If all its work passes through this
/// executor or the main actor, the work can be counted: if no job is waiting or running here, and
/// turns of the main actor bring no new ones, the effect is waiting for something else.
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
    // On Dispatch's threads: Swift's pool has only one per core, and other tests block them.
    DispatchQueue.global().async {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      self.jobs.withLock { $0.unfinished -= 1 }
    }
  }

  /// The number of jobs so far; `nil` while one is waiting or running.
  private var totalAtRest: Int? { jobs.withLock { $0.unfinished == 0 ? $0.total : nil } }

  /// The number of turns without new jobs after which effects are assumed to wait for something
  /// else.
  private static let quietTurns = 256

  /// Returns when every effect has ended, sleeps on a clock, or waits for something else that
  /// nothing here can cause.
  ///
  /// - Parameters:
  ///   - account: the account of the effects' store.
  ///   - limit: how long effects may run, in real time.
  /// - Returns: `false` if effects were still running after `limit`.
  @MainActor
  func settle(_ account: ActivityAccount, within limit: Duration) async -> Bool {
    let deadline = ContinuousClock.now + limit
    var quiet = 0
    var restless = 0
    while !account.isSettled, quiet < Self.quietTurns {
      let before = totalAtRest
      await Task.yield()
      // Work that still runs on Swift's pool, such as a task that an effect created, gets turns
      // too.
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
