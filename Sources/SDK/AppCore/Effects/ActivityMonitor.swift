internal import Synchronization

/// Counts a store's busy effects: those that neither have ended nor only wait, as on a clock.
package final class ActivityMonitor: Sendable {
  private struct Counts {
    var busy = 0
    /// The number of effects that have not ended, whether they are busy or wait.
    var running = 0
    var nextWaiter = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }
  private let counts = Mutex(Counts())
  private let preference = Mutex<(any EffectExecuting)?>(nil)

  package init() {}

  /// What runs the work of effects in a test; `nil` for Swift's thread pool and the store's actor.
  ///
  /// A test's executor knows when nothing is left to run; the pool doesn't.
  var executor: (any EffectExecuting)? {
    get { preference.withLock { $0 } }
    set { preference.withLock { $0 = newValue } }
  }

  /// Whether every effect has ended or waits on a clock.
  package var isSettled: Bool { counts.withLock { $0.busy == 0 } }

  /// Whether every effect has ended.
  var isIdle: Bool { counts.withLock { $0.running == 0 } }

  /// Records that an effect has begun, and is busy.
  func effectBegan() {
    counts.withLock {
      $0.running += 1
      $0.busy += 1
    }
  }

  /// Records that an effect has ended; one that was busy then calls ``end()``.
  func effectEnded() { counts.withLock { $0.running -= 1 } }

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
