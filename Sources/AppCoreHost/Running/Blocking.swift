internal import AppCore
internal import Dispatch
internal import Synchronization

/// Waits for asynchronous work on a thread outside of Swift's concurrency: a program's main
/// thread, one that reads lines.
///
/// Never to be called from a task: it would hold a thread that tasks need.
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
  /// Waits for the effects, no longer than `limit`; those that have not ended then continue.
  ///
  /// - Returns: whether they had ended.
  @discardableResult
  func finish(within limit: Duration) async -> Bool {
    guard !hasEnded else { return true }
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    // A task of its own: should that which waits be cancelled, the effects are not.
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
