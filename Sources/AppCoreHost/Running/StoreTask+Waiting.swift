internal import AppCore

extension StoreTask {
  /// Waits for the effects, no longer than `limit`; those that have not ended then go on.
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
