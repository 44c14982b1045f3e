internal import Synchronization

/// Counts a store's effects: those at work, and those that only wait on a clock.
package final class ActivityMonitor: Sendable {
  private struct Counts {
    var busy = 0
    var nextWaiter = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }
  private let counts = Mutex(Counts())
  private let preference = Mutex<(any TaskExecutor)?>(nil)

  package init() {}

  /// Where effects run what is bound to no actor, or to one without an executor of its own; `nil` for
  /// Swift's pool.
  ///
  /// A test's executor knows when nothing is left to run; the pool doesn't.
  var executor: (any TaskExecutor)? {
    get { preference.withLock { $0 } }
    set { preference.withLock { $0 = newValue } }
  }

  /// Whether every effect has ended or waits on a clock.
  package var isSettled: Bool { counts.withLock { $0.busy == 0 } }

  /// Returns when every effect has ended or waits on a clock, or when the task is cancelled.
  package func settled() async {
    let id = counts.withLock { counts in
      counts.nextWaiter += 1
      return counts.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = counts.withLock { counts in
          guard counts.busy > 0, !Task.isCancelled else { return true }
          counts.waiters[id] = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      counts.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
  }

  func begin() { counts.withLock { $0.busy += 1 } }

  func end() {
    let waiters = counts.withLock { counts -> [CheckedContinuation<Void, Never>] in
      counts.busy -= 1
      guard counts.busy == 0 else { return [] }
      defer { counts.waiters = [:] }
      return Array(counts.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// One effect's part in its store's ``ActivityMonitor``.
package final class EffectActivity: Sendable {
  @TaskLocal package static var current: EffectActivity?

  private struct Status {
    var waits = 0
    var hasEnded = false
  }
  package let monitor: ActivityMonitor
  /// What it belongs to in the whole store; `nil` where to nothing.
  package let scope: EffectID?
  private let waiter: EffectActivity?
  private let status = Mutex(Status())

  /// - Parameters:
  ///   - monitor: the store's.
  ///   - waiter: the effect that waits for this one, and does nothing else meanwhile: a sequence is
  ///     at work only while the step that runs is.
  ///   - scope: what it belongs to in the whole store.
  init(_ monitor: ActivityMonitor, waiter: EffectActivity? = nil, scope: EffectID? = nil) {
    self.monitor = monitor
    self.waiter = waiter
    self.scope = scope
    // This one first: at no moment may nobody be at work.
    monitor.begin()
    waiter?.beginWaiting()
  }

  /// Whether it has not ended, and does not only wait on a clock.
  package var isAtWork: Bool { status.withLock { $0.waits == 0 && !$0.hasEnded } }

  package func beginWaiting() {
    let isFirst = status.withLock { status in
      status.waits += 1
      return status.waits == 1 && !status.hasEnded
    }
    if isFirst { monitor.end() }
  }

  package func endWaiting() {
    let isLast = status.withLock { status in
      status.waits -= 1
      return status.waits == 0 && !status.hasEnded
    }
    if isLast { monitor.begin() }
  }

  func end() {
    let (isFirst, wasBusy) = status.withLock { status in
      defer { status.hasEnded = true }
      return (!status.hasEnded, status.waits == 0 && !status.hasEnded)
    }
    if isFirst { waiter?.endWaiting() }
    if wasBusy { monitor.end() }
  }
}
