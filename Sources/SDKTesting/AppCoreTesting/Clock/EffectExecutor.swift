@_spi(Host) public import AppCore
internal import Dispatch
internal import Synchronization

/// Runs all work of a store's effects in a test, and detects when none of it is left.
///
/// A task can't be asked whether it still has work to do, but its work can be counted: what effects
/// do on their store's actor passes through ``onStore``, and everything else, such as `async let`,
/// task groups and nonisolated functions, through this executor. If no job is left, each task of
/// each effect waits: on a clock, or for something else that a test can't see.
@_spi(Host)
public final class EffectExecutor: EffectExecuting {
  private struct Jobs {
    var unfinished = 0
    var total = 0
  }
  private let jobs = Mutex(Jobs())
  fileprivate let home: Home
  private let storeJobs = StoreJobs()
  private let followUp = Mutex<(@Sendable () async -> Bool)?>(nil)
  /// Runs one job after another, so that effects go on in the same order in each run of a test.
  ///
  /// On Dispatch's threads: Swift's pool has only one per core, and other tests block them.
  private let queue = DispatchQueue(label: "appcore.effects")

  /// Where the store's actor runs its jobs.
  fileprivate enum Home {
    case mainActor
    case thread(StoreThread)
  }

  /// Whether an effect that waits for something else than a clock is waited for.
  private let waitsForOthers: Bool

  /// Creates an executor for a store on the main actor; what an effect waits for may be up to the
  /// test.
  public convenience init() { self.init(.mainActor, waitsForOthers: false) }

  /// Creates an executor for a store whose actor runs on `thread`.
  public convenience init(for thread: StoreThread) {
    self.init(.thread(thread), waitsForOthers: true)
  }

  private init(_ home: Home, waitsForOthers: Bool) {
    self.home = home
    self.waitsForOthers = waitsForOthers
    storeJobs.executor = self
  }

  // MARK: Running jobs

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    begin()
    queue.async {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      self.end()
    }
  }

  public var onStore: UnownedSerialExecutor { storeJobs.asUnownedSerialExecutor() }

  public func willStart() { storeJobs.isStarting = true }

  public func didStart() { storeJobs.isStarting = false }

  fileprivate func begin() {
    jobs.withLock {
      $0.unfinished += 1
      $0.total += 1
    }
  }

  fileprivate func end() { jobs.withLock { $0.unfinished -= 1 } }

  /// The number of jobs so far; `nil` while one is waiting or running.
  private var totalAtRest: Int? { jobs.withLock { $0.unfinished == 0 ? $0.total : nil } }

  // MARK: Settling

  /// The number of turns without new jobs after which each task is assumed to wait.
  ///
  /// Only work that can't be counted needs them: calls of the main actor, which gets as many turns
  /// of its own, and of actors with executors of their own.
  fileprivate static let quietTurns = 4
  /// The same while an effect does not wait on a clock; it may also wait for an unstructured task.
  private static let quietTurnsOfOthers = 256

  nonisolated(nonsending) public func settle(
    _ account: ActivityAccount, within limit: Duration
  ) async -> Bool {
    let deadline = ContinuousClock.now + limit
    let followUp = followUp.withLock { $0 }
    while await rest(account, until: deadline) {
      guard await followUp?() ?? false else { return true }
      guard ContinuousClock.now < deadline else { return false }
    }
    return false
  }

  /// Lets `start` begin what an app begins after its effects have settled, before whoever waits for
  /// them goes on; it returns whether there was anything.
  public func whenSettled(_ start: @escaping @Sendable () async -> Bool) {
    followUp.withLock { $0 = start }
  }

  nonisolated(nonsending) private func rest(
    _ account: ActivityAccount, until deadline: ContinuousClock.Instant
  ) async -> Bool {
    var quiet = 0
    var restless = 0
    var mainTurns: MainActorTurns?
    while !account.isIdle {
      let before = totalAtRest
      if before != nil {
        let turns = mainTurns ?? home.turnsOfMainActor()
        mainTurns = turns
        if account.isSettled, quiet >= Self.quietTurns, turns?.isOver ?? true { return true }
        if !waitsForOthers, quiet >= Self.quietTurnsOfOthers { return true }
      }
      await withUnsafeContinuation { continuation in home.perform { continuation.resume() } }
      // Work that still runs on Swift's pool, such as a task that an effect created, gets turns
      // too.
      if quiet % 8 == 7 { await Task.detached(priority: .background) {}.value }
      if let before, before == totalAtRest {
        quiet += 1
      } else {
        quiet = 0
        restless += 1
        mainTurns = nil
      }
      guard restless > 64 || quiet > Self.quietTurnsOfOthers else { continue }
      guard ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .microseconds(200))
    }
    return true
  }
}

extension EffectExecutor.Home {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  var isCurrent: Bool {
    switch self {
    case .mainActor: DispatchQueue.getSpecific(key: Self.key) != nil
    case .thread(let thread): thread.isIsolatingCurrentContext() ?? false
    }
  }

  /// Turns of the main actor, if its turns are not those of the store.
  func turnsOfMainActor() -> MainActorTurns? {
    if case .mainActor = self { nil } else { MainActorTurns(EffectExecutor.quietTurns) }
  }

  /// Runs `work` there, after everything that is queued.
  func perform(_ work: @escaping @Sendable () -> Void) {
    switch self {
    case .mainActor: DispatchQueue.main.async(execute: work)
    case .thread(let thread): thread.perform(work)
    }
  }
}

/// Turns of the main actor, one after another.
private final class MainActorTurns: Sendable {
  /// Those that a blocked main thread did not take in time; none are waited for until it has.
  private static let missed = Mutex<MainActorTurns?>(nil)
  /// Far longer than a loaded machine lets a thread wait: whoever waits blocks the main thread.
  private static let limit = Duration.seconds(30)

  private let wereTaken = Atomic(false)
  private let deadline = ContinuousClock.now + limit

  init(_ count: Int) {
    let isBlocked = Self.missed.withLock { missed in
      missed.map { !$0.wereTaken.load(ordering: .acquiring) } ?? false
    }
    if !isBlocked { take(count) } else { wereTaken.store(true, ordering: .releasing) }
  }

  private func take(_ count: Int) {
    guard count > 0 else { return wereTaken.store(true, ordering: .releasing) }
    DispatchQueue.main.async { self.take(count - 1) }
  }

  /// Whether they were taken; after ``limit`` it reports that they were not, and returns `true`.
  var isOver: Bool {
    if wereTaken.load(ordering: .acquiring) { return true }
    guard ContinuousClock.now > deadline else { return false }
    Self.missed.withLock { $0 = self }
    RuntimeIssue.report(
      """
      the main actor has run nothing for \(Self.limit.components.seconds) seconds, so what effects do \
      there is not waited for
        - a test blocks the main thread, perhaps while it waits for this app: run it elsewhere
      """)
    return true
  }
}

/// Runs jobs on a store's actor, for an ``EffectExecutor``, which counts them.
private final class StoreJobs: SerialExecutor, @unchecked Sendable {
  // Unchecked: `executor` is set once, and `isStarting` is used on the store's actor only.
  unowned var executor: EffectExecutor?
  var isStarting = false

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard let executor else { return }
    executor.begin()
    if executor.home.isCurrent, isStarting { return run(job, executor) }
    executor.home.perform { self.run(job, executor) }
  }

  private func run(_ job: UnownedJob, _ executor: EffectExecutor) {
    // With the task executor: otherwise each 'await' of the actor's own functions would be a turn,
    // and actions would be reduced in another order than without a test.
    job.runSynchronously(
      isolatedTo: asUnownedSerialExecutor(), taskExecutor: executor.asUnownedTaskExecutor())
    executor.end()
  }

  func isIsolatingCurrentContext() -> Bool? { executor?.home.isCurrent ?? false }

  func checkIsolated() {
    precondition(executor?.home.isCurrent ?? false, "this runs elsewhere than on its store's actor")
  }
}
