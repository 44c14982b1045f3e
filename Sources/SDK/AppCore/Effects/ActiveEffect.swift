internal import Synchronization

/// A running effect.
@_spi(Host)
public final class ActiveEffect: @unchecked Sendable {
  // Unchecked: mutable state is used only on the store's actor, or guarded by a mutex.

  /// The effect that the current task is part of.
  @TaskLocal static var current: ActiveEffect?

  /// Effects of one store are numbered in the order in which they begin.
  let id: Int
  let context: EffectContext
  /// The account of the effect's store.
  public let account: ActivityAccount
  /// The effect of which this one is a part, and which only waits for it.
  private var enclosingEffect: ActiveEffect? { context.effect }

  var task: Task<Void, Never>?
  private(set) var isCancelled = false
  /// Whether it was cancelled because its outermost scope, such as a graph's instance, was removed.
  private(set) var isCancelledWithInstance = false
  var hasEnded = false
  /// The number of actions that it has sent since it last yielded.
  var sentCount = 0

  private struct Status {
    var waits = 0
    var hasEnded = false
    var isAtWork: Bool { waits == 0 && !hasEnded }
  }
  private let status = Mutex(Status())

  init(_ id: Int, _ context: EffectContext, _ account: ActivityAccount) {
    self.id = id
    self.context = context
    self.account = account
    // In this order: the store must not look settled in between.
    account.effectBegan()
    enclosingEffect?.beginWaiting()
  }

  var scope: EffectScope { context.scope }
  /// Whether it is a part of another effect, which ends later.
  var isPart: Bool { enclosingEffect != nil }

  func cancel(withInstance: Bool) {
    isCancelled = true
    isCancelledWithInstance = withInstance
    task?.cancel()
  }

  // MARK: Activity

  /// Whether it has neither ended nor only waits, such as on a clock.
  var isAtWork: Bool { status.withLock { $0.isAtWork } }

  /// Records that the effect waits; while it does, its store can count as settled.
  public func beginWaiting() { change { $0.waits += 1 } }

  /// Records that the effect is about to continue; its store is not settled until the effect waits
  /// again or ends.
  public func endWaiting() { change { $0.waits -= 1 } }

  /// Marks it as ended for the account; its task has nothing left to do.
  func endActivity() {
    enclosingEffect?.endWaiting()
    change { $0.hasEnded = true }
    account.effectEnded()
  }

  private func change(_ body: (inout Status) -> Void) {
    let (was, isNow) = status.withLock { status in
      let was = status.isAtWork
      body(&status)
      return (was, status.isAtWork)
    }
    if was != isNow { isNow ? account.beganWork() : account.endedWork() }
  }
}

/// The effect that is running on the current thread.
@_spi(Host)
@frozen
public enum RunningEffect {
  /// The effect's scope of this type; `nil` if it has none, or no effect is running.
  ///
  /// Takes no lock, and allocates only on the first call.
  public static func scope<Scope: Hashable>(as type: Scope.Type) -> Scope? {
    ActiveEffect.current?.scope.outermost(as: type)
  }
}

/// Counts a store's effects, and tells whether they are at work.
@_spi(Host)
public final class ActivityAccount: Sendable {
  private struct Counts {
    /// The number of effects that neither have ended nor only wait, as on a clock.
    var atWork = 0
    /// The number of effects that have not ended.
    var running = 0
    /// Streams without elements, which end when no effect is at work.
    var waiting: [UInt64: AsyncStream<Never>.Continuation] = [:]
    /// How many streams there have been.
    var waits: UInt64 = 0
  }
  private let counts = Mutex(Counts())
  private let preference = Mutex<(any EffectExecuting)?>(nil)

  /// What runs the work of effects in a test; `nil` for Swift's thread pool and the store's actor.
  ///
  /// A test's executor knows when nothing is left to run; the pool doesn't.
  var executor: (any EffectExecuting)? {
    get { preference.withLock { $0 } }
    set { preference.withLock { $0 = newValue } }
  }

  /// Whether every effect has ended or waits on a clock.
  public var isSettled: Bool { counts.withLock { $0.atWork == 0 } }

  /// Whether every effect has ended.
  public var isIdle: Bool { running == 0 }

  /// The number of effects that have not ended.
  var running: Int { counts.withLock { $0.running } }

  /// Records that an effect has begun, and is at work.
  func effectBegan() {
    counts.withLock {
      $0.running += 1
      $0.atWork += 1
    }
  }

  func effectEnded() { counts.withLock { $0.running -= 1 } }

  func beganWork() { counts.withLock { $0.atWork += 1 } }

  func endedWork() {
    let settled = counts.withLock { counts -> [UInt64: AsyncStream<Never>.Continuation] in
      counts.atWork -= 1
      guard counts.atWork == 0 else { return [:] }
      defer { counts.waiting = [:] }
      return counts.waiting
    }
    for stream in settled.values { stream.finish() }
  }

  /// Returns when every effect has ended or waits on a clock, or when `limit` has passed.
  ///
  /// In a test, the executor of the effects decides that.
  ///
  /// - Returns: whether it has settled.
  nonisolated(nonsending) public func settled(within limit: Duration) async -> Bool {
    if let executor { return await executor.settle(self, within: limit) }
    let deadline = ContinuousClock.now + limit
    // Repeated, since an effect may have continued meanwhile, such as one whose sleep was
    // cancelled.
    while !isSettled {
      guard ContinuousClock.now < deadline, !Task.isCancelled else { return false }
      await withTaskGroup { group in
        group.addTask { await self.settled() }
        group.addTask { try? await Task.sleep(until: deadline, clock: .continuous) }
        await group.next()
        group.cancelAll()
      }
    }
    return true
  }

  /// Returns when every effect has ended or waits on a clock, or when the task is cancelled.
  private func settled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    let number = counts.withLock { counts in
      counts.waits += 1
      if counts.atWork > 0 {
        counts.waiting[counts.waits] = continuation
      } else {
        continuation.finish()
      }
      return counts.waits
    }
    for await _ in stream {}
    counts.withLock { $0.waiting[number] = nil }
  }
}
