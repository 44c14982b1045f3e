import Synchronization

/// Lets tasks wait until it is opened, or until they are cancelled.
final class Gate: Sendable {
  private struct Content {
    var isOpen = false
    var nextID = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }
  private let content = Mutex(Content())

  /// Returns when the gate is open.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  func wait() async throws {
    let id = content.withLock { content in
      content.nextID += 1
      return content.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let wasRestored = content.withLock { content in
          guard !content.isOpen, !Task.isCancelled else { return true }
          content.waiters[id] = continuation
          return false
        }
        if wasRestored { continuation.resume() }
      }
    } onCancel: {
      content.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
    try Task.checkCancellation()
  }

  func open() {
    let waiters = content.withLock { content in
      content.isOpen = true
      defer { content.waiters = [:] }
      return Array(content.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }
}
