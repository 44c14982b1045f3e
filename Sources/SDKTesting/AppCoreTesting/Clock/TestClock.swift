@_spi(Host) public import AppCore
internal import Synchronization

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let app = try await AppHarness(manifest: "app.yaml", clock: clock)
/// await clock.advance(by: .seconds(1))
/// ```
///
/// Advancing wakes sleepers one at a time, in the order of their deadlines, and those of one
/// deadline in the order in which they went to sleep. An effect that was woken runs until it sleeps
/// again or ends, with everything that follows, before the next one is woken, so a test gives the
/// same result every time.
public final class TestClock: Sendable {
  private let queue = Mutex(SleeperQueue())

  /// How long, in real time, an effect may run after it has been woken; after that,
  /// ``advance(by:)`` reports it and continues.
  public let timeout: Duration

  /// Creates a clock at zero.
  ///
  /// - Parameter timeout: how long an effect may run after it has been woken, in real time.
  public init(timeout: Duration = .seconds(60)) { self.timeout = timeout }

  /// The time since the clock was created.
  public var now: Duration { queue.withLock { $0.now } }

  /// The number of sleepers.
  public var sleeperCount: Int { queue.withLock { $0.count } }

  /// The clock as a dependency: `dependencies.clock = testClock.appClock`.
  public var appClock: AppClock {
    AppClock(now: { self.now }, waking: { try await self.sleep(until: $0, $1) })
  }

  /// Advances the clock by `duration` and wakes the sleepers that are due.
  ///
  /// - Parameter duration: not negative; by default no time, for sleepers that are due already.
  nonisolated(nonsending) public func advance(by duration: Duration = .zero) async {
    await advance(to: now + duration)
  }

  /// Advances the clock to `deadline` and wakes the sleepers that are due.
  nonisolated(nonsending) public func advance(to deadline: Duration) async {
    while let sleeper = queue.withLock({ $0.takeNext(until: deadline) }) {
      await wake(sleeper)
    }
  }

  /// Advances the clock until there are no more sleepers.
  ///
  /// - Parameter limit: the most sleepers to wake. An endless timer would otherwise never let the
  ///   test finish; reaching the limit is reported.
  nonisolated(nonsending) public func run(limit: Int = 10_000) async {
    for _ in 0..<limit {
      guard let sleeper = queue.withLock({ $0.takeNext(until: nil) }) else { return }
      await wake(sleeper)
    }
    guard sleeperCount > 0 else { return }
    RuntimeIssue.report(
      """
      TestClock.run() woke \(limit) sleepers, and \(sleeperCount) are left. An effect probably \
      waits again and again, like a timer: use 'advance(by:)', or end the effect first.
      """)
  }

  nonisolated(nonsending) private func wake(_ sleeper: Sleeper) async {
    sleeper.resume()
    guard let account = sleeper.effect?.account else {
      // A sleeper that is not an effect has no account; it only gets a turn.
      await Task.yield()
      return
    }
    guard await !account.settled(within: timeout) else { return }
    RuntimeIssue.report(
      """
      An effect that TestClock woke at \(now) did not wait again or end within \(timeout). It \
      probably waits for something else than the clock; give the feature that as a dependency, \
      and the test another in its place.
      """)
  }

  private func sleep(until deadline: Duration, _ effect: ActiveEffect?) async throws {
    let id = queue.withLock { $0.makeID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = Sleeper(
          id: id, deadline: deadline, effect: effect, continuation: continuation)
        let outcome: Result<Void, any Error>? = queue.withLock { queue in
          guard !Task.isCancelled else { return .failure(CancellationError()) }
          // A deadline at the current time waits too: only the test advances the clock.
          guard deadline >= queue.now else { return .success(()) }
          queue.insert(sleeper)
          effect?.beginWaiting()
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      queue.withLock { $0.remove(id) }?.cancel()
    }
    // An effect whose deadline has passed still gives others a turn.
    await Task.yield()
  }
}

/// A task that sleeps until a deadline.
private struct Sleeper: Sendable {
  let id: Int
  let deadline: Duration
  let effect: ActiveEffect?
  let continuation: CheckedContinuation<Void, any Error>

  // The effect's store must know before the effect can continue.
  func resume() {
    effect?.endWaiting()
    continuation.resume()
  }

  func cancel() {
    effect?.endWaiting()
    continuation.resume(throwing: CancellationError())
  }

  func isLater(than other: Sleeper) -> Bool {
    (deadline, id) > (other.deadline, other.id)
  }
}

/// The state of a clock: its time and its sleepers.
private struct SleeperQueue: Sendable {
  private(set) var now = Duration.zero
  private var lastID = 0
  /// Sorted with the earliest deadline last, so that removing that sleeper takes O(1).
  private var sleepers: [Sleeper] = []

  var count: Int { sleepers.count }

  mutating func makeID() -> Int {
    lastID += 1
    return lastID
  }

  mutating func insert(_ sleeper: Sleeper) {
    let place = sleepers.firstIndex { !$0.isLater(than: sleeper) }
    sleepers.insert(sleeper, at: place ?? sleepers.count)
  }

  mutating func remove(_ id: Int) -> Sleeper? {
    sleepers.firstIndex { $0.id == id }.map { sleepers.remove(at: $0) }
  }

  /// Removes the next sleeper and advances the time to its deadline; if none is due by `limit`,
  /// advances the time to `limit` and returns `nil`.
  mutating func takeNext(until limit: Duration?) -> Sleeper? {
    guard let next = sleepers.last, limit.map({ next.deadline <= $0 }) ?? true else {
      if let limit { now = max(now, limit) }
      return nil
    }
    now = max(now, next.deadline)
    return sleepers.removeLast()
  }
}
