internal import Synchronization

/// One effect that runs.
package final class ActiveEffect: @unchecked Sendable {
  // Unchecked: what is mutable is touched on the store's actor only, or guarded.

  /// The effect that the current task is part of.
  @TaskLocal package static var current: ActiveEffect?

  /// Effects of one store are numbered in the order in which they begin.
  let id: Int
  package let scope: EffectScope
  /// What it can be cancelled by, each in the scope in which it was said.
  let keys: [EffectKey]
  /// The effects that one action brought about, of which it is one.
  let group: EffectGroup
  /// The action that it answers; known only where somebody asks.
  let origin: (any Sendable & AnyObject)?
  package let monitor: ActivityMonitor
  /// The effect that does nothing but wait for this one.
  private let waiter: ActiveEffect?
  /// Whether it is a part of another effect, which ends after it.
  var isPart: Bool { waiter != nil }

  var task: Task<Void, Never>?
  private(set) var isCancelled = false
  /// Whether it was cancelled because what it belongs to in the whole store is gone.
  private(set) var isLate = false
  var hasEnded = false
  /// How many actions it has sent since others had their turn.
  var sentCount = 0

  private struct Status {
    var waits = 0
    var hasEnded = false
  }
  private let status = Mutex(Status())

  init(
    _ id: Int, _ scope: EffectScope, keys: [EffectKey], group: EffectGroup,
    origin: (any Sendable & AnyObject)?,
    monitor: ActivityMonitor, waiter: ActiveEffect?
  ) {
    self.id = id
    self.scope = scope
    self.keys = keys
    self.group = group
    self.origin = origin
    self.monitor = monitor
    self.waiter = waiter
    // This one first: at no moment may nobody be at work.
    monitor.begin()
    waiter?.beginWaiting()
  }

  func cancel(isLate: Bool) {
    isCancelled = true
    self.isLate = isLate
    task?.cancel()
  }

  // MARK: Whether it is at work

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

  /// Its task has nothing left to do.
  func endActivity() {
    let (isFirst, wasBusy) = status.withLock { status in
      defer { status.hasEnded = true }
      return (!status.hasEnded, status.waits == 0 && !status.hasEnded)
    }
    if isFirst { waiter?.endWaiting() }
    if wasBusy { monitor.end() }
  }
}

/// Names effects that are cancelled together: an id within a scope.
struct EffectKey: Sendable {
  let scope: EffectScope
  let id: AnySendableHashable
}

/// The action that effects answer; its identity tells it from an equal one.
final class EffectOrigin<Action: Sendable>: Sendable {
  let action: Action
  init(_ action: Action) { self.action = action }
}
