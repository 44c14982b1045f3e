internal import AppCore
internal import Dispatch
internal import Synchronization

/// Blocks the calling thread until asynchronous work has finished, and returns its result.
///
/// It is for threads outside of Swift's concurrency, such as a program's main thread. Never call it
/// from a task: it would block a thread of the pool that runs tasks.
public func waitFor<Result: Sendable>(
  _ operation: @escaping @Sendable () async -> Result
) -> Result {
  let done = DispatchSemaphore(value: 0)
  let result = Mutex<Result?>(nil)
  Task {
    let value = await operation()
    result.withLock { $0 = value }
    done.signal()
  }
  while true {
    done.wait()
    if let value = result.withLock({ $0 }) { return value }
  }
}

extension StoreTask {
  /// Waits at most `limit` for the effects; those that have not ended by then continue.
  ///
  /// - Returns: whether all have ended.
  @discardableResult
  func finish(within limit: Duration) async -> Bool {
    guard !hasEnded else { return true }
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    // A task of its own, so that cancelling the caller does not cancel the effects.
    Task {
      await finish()
      continuation.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: limit)
      continuation.finish()
    }
    for await _ in ends {}
    timer.cancel()
    return hasEnded
  }
}
