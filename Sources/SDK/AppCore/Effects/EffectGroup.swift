internal import Synchronization

/// The effects that one action brought about, directly or through the actions that they sent.
final class EffectGroup: Sendable {
  private struct Content {
    /// The number of running effects and of their actions that are queued.
    var count = 0
    var tasks: [Int: Task<Void, Never>] = [:]
    /// The effects that ended last: a task releases what it holds slightly after it reports its
    /// end.
    var ended: [Task<Void, Never>] = []
    var isCancelled = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
  private static let keptCount = 8
  private let content = Mutex(Content())

  var isCancelled: Bool { content.withLock { $0.isCancelled } }
  var hasEnded: Bool { content.withLock { $0.count == 0 } }

  /// Counts one more effect or queued action.
  func enter() { content.withLock { $0.count += 1 } }

  /// Counts one less: the effect `id` has ended, or a queued action was reduced or dropped.
  func leave(_ id: Int? = nil) {
    // Released outside the lock: a task holds the values that its closure captured, and their
    // deinitializers may run arbitrary code.
    let (waiters, released) = content.withLock { content in
      var released: Task<Void, Never>?
      if let id, let task = content.tasks.removeValue(forKey: id) {
        if content.ended.count == Self.keptCount { released = content.ended.removeFirst() }
        content.ended.append(task)
      }
      content.count -= 1
      guard content.count == 0 else { return ([CheckedContinuation<Void, Never>](), released) }
      defer { content.waiters = [] }
      return (content.waiters, released)
    }
    for waiter in waiters { waiter.resume() }
    withExtendedLifetime(released) {}
  }

  /// Adds the task of an effect that has entered, so that it is cancelled with the others.
  func add(_ task: Task<Void, Never>, _ id: Int) {
    let isCancelled = content.withLock { content in
      content.tasks[id] = task
      return content.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels the running effects and those that are added later.
  func cancel() {
    let tasks = content.withLock { content in
      content.isCancelled = true
      return content.tasks
    }
    for (_, task) in tasks.sorted(by: { $0.key < $1.key }) { task.cancel() }
  }

  /// Waits until everything has ended; cancels the group if the waiting task is cancelled.
  func finish() async {
    await withTaskCancellationHandler {
      // Each is awaited itself, so that it gets the priority of who waits.
      while let task = content.withLock({ $0.tasks.first?.value }) { await task.value }
      await waitForEnd()
      for task in content.withLock({ $0.ended }) { await task.value }
    } onCancel: {
      cancel()
    }
  }

  private func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let hasEnded = content.withLock { content in
        if content.count > 0 { content.waiters.append(continuation) }
        return content.count == 0
      }
      if hasEnded { continuation.resume() }
    }
  }
}
