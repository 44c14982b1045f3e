internal import Synchronization

/// A running effect.
package final class ActiveEffect: @unchecked Sendable {
  // Unchecked: mutable state is used only on the store's actor, or guarded by a mutex.

  /// The effect that the current task is part of.
  @TaskLocal package static var current: ActiveEffect?

  /// Effects of one store are numbered in the order in which they begin.
  let id: Int
  package let scope: EffectScope
  /// The ids that cancel it, each with the scope of the reducer that made it cancellable.
  let keys: [EffectKey]
  /// The group of effects that one action brought about, to which it belongs.
  let group: EffectGroup
  /// The action that returned it; `nil` unless the store records origins.
  let origin: (any Sendable & AnyObject)?
  package let monitor: ActivityMonitor
  /// The effect of which this one is a part, and which only waits for it.
  private let waiter: ActiveEffect?
  /// Whether it is a part of another effect, which ends later.
  var isPart: Bool { waiter != nil }

  var task: Task<Void, Never>?
  private(set) var isCancelled = false
  /// Whether it was cancelled because its outermost scope, such as a graph's instance, was removed.
  private(set) var isLate = false
  var hasEnded = false
  /// The number of actions that it has sent since it last yielded.
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
    // In this order: the store must not look settled in between.
    monitor.effectBegan()
    waiter?.beginWaiting()
  }

  func cancel(isLate: Bool) {
    isCancelled = true
    self.isLate = isLate
    task?.cancel()
  }

  // MARK: Activity

  /// Whether it has neither ended nor only waits, such as on a clock.
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

  /// Marks it as ended for the accounts; its task has nothing left to do.
  func endActivity() {
    let (isFirst, wasBusy) = status.withLock { status in
      defer { status.hasEnded = true }
      return (!status.hasEnded, status.waits == 0 && !status.hasEnded)
    }
    if isFirst {
      waiter?.endWaiting()
      monitor.effectEnded()
    }
    if wasBusy { monitor.end() }
  }
}

/// Identifies effects that are cancelled together: an id within a scope.
struct EffectKey: Sendable {
  let scope: EffectScope
  let id: AnySendableHashable
}

/// The action that returned an effect; a class, so that equal actions can be told apart.
final class EffectOrigin<Action: Sendable>: Sendable {
  let action: Action
  init(_ action: Action) { self.action = action }
}
