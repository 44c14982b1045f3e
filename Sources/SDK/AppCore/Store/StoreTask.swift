/// The effects that an action started, with those of the actions that they send in turn.
///
/// An action without effects has a task that has ended. The task of an action that is sent while
/// another one is reduced, by an observer say, is as good as any: it ends when its action has been
/// reduced and its effects have ended.
public struct StoreTask: Sendable {
  let group: EffectGroup?

  /// Ends the effects, and those that their actions would still start.
  public func cancel() { group?.cancel() }

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { group?.isCancelled ?? false }

  /// Whether nothing of it is left to wait for.
  public var hasEnded: Bool { group?.hasEnded ?? true }

  /// Returns when the effects have ended, and those of the actions that they sent.
  ///
  /// When the task that waits is cancelled, so are the effects.
  public func finish() async { await group?.finish() }
}
