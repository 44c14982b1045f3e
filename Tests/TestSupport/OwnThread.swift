internal import Foundation
package import Testing

/// A trait that runs each test on a thread of its own.
///
/// Swift's pool has as many threads as there are cores. A test that blocks while it waits for a
/// program, or computes for seconds, would occupy one of these and delay effects in other tests.
package struct OwnThread: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let thread = ExecutorThread()
    defer { thread.finish() }
    try await withTaskExecutorPreference(thread) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// Runs a test on its own thread; for tests that block the thread or keep it busy for long.
  package static var ownThread: Self { OwnThread() }
}

/// A task executor with a single thread, which runs its jobs in order.
private final class ExecutorThread: TaskExecutor, @unchecked Sendable {
  // Unchecked: the mutable state is guarded by `condition`.
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []
  private var isFinished = false

  init() {
    let thread = Thread { [self] in
      while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      jobs.append(job)
      condition.signal()
    }
  }

  /// Lets the thread end once no jobs are left.
  func finish() {
    condition.withLock {
      isFinished = true
      condition.signal()
    }
  }

  private func next() -> UnownedJob? {
    condition.withLock {
      while jobs.isEmpty, !isFinished { condition.wait() }
      return jobs.isEmpty ? nil : jobs.removeFirst()
    }
  }
}
