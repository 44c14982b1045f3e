@_spi(Host) internal import AppCore

/// A task that sleeps until a deadline.
struct Sleeper: Sendable {
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
struct SleeperQueue: Sendable {
  private(set) var now = Duration.zero
  private var lastID = 0
  /// Sorted with the earliest deadline last, so that removing that sleeper takes O(1).
  private var sleepers: [Sleeper] = []

  var count: Int { sleepers.count }

  mutating func makeID() -> Int {
    lastID += 1
    return lastID
  }

  /// - Complexity: O(*n*), where *n* is the number of sleepers; finding the place is O(log *n*).
  mutating func insert(_ sleeper: Sleeper) {
    var low = 0
    var high = sleepers.count
    while low < high {
      let middle = (low + high) / 2
      if sleepers[middle].isLater(than: sleeper) { low = middle + 1 } else { high = middle }
    }
    sleepers.insert(sleeper, at: low)
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
