/// The effects that an action started, with those of the actions that they send in turn.
///
/// The task of an action without effects has already ended. The task of an action that was sent
/// while another one was being reduced, as by an observer, ends when its action has been reduced
/// and its effects have ended.
public struct StoreTask: Sendable {
  let group: EffectGroup?

  /// Cancels the effects, and those that their actions would still start.
  public func cancel() { group?.cancel() }

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { group?.isCancelled ?? false }

  /// Whether the action has been reduced and all its effects have ended.
  public var hasEnded: Bool { group?.hasEnded ?? true }

  /// Returns when the effects have ended, and those of the actions that they sent.
  ///
  /// Cancelling the task that waits cancels the effects.
  public func finish() async { await group?.finish() }
}

/// The effects of an action that a child's screen has sent, and the child.
///
/// Used on the store's actor. It is told that the child is gone by its scope, which stays in the
/// tree of running effects until ``release()``.
@_spi(Host)
public final class ChildTask {
  private let task: StoreTask
  private let scope: EffectScope

  init(task: StoreTask, scope: EffectScope) {
    self.task = task
    self.scope = scope
    scope.beginUse()
  }

  /// Whether the child was removed, or replaced by another one.
  public var isChildGone: Bool { scope.isEnded }

  /// Cancels the effects.
  public func cancel() { task.cancel() }

  /// Forgets the child.
  public func release() { scope.endUse() }
}
