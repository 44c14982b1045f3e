@_spi(Host) internal import AppCore

/// Somebody who waits for a moment.
struct Sleeper: Sendable {
  let id: Int
  let deadline: Duration
  let effect: SleepingEffect?
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

/// What a clock knows: its time, and who waits for which.
struct SleeperQueue: Sendable {
  private(set) var now = Duration.zero
  private var lastID = 0
  /// The earliest last, so that it is taken off the end.
  private var sleepers: [Sleeper] = []

  var count: Int { sleepers.count }

  mutating func makeID() -> Int {
    lastID += 1
    return lastID
  }

  /// - Complexity: O(log n) to find the place.
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

  /// The next sleeper whose deadline comes, at the time when it does; `nil` once `limit` is now.
  mutating func takeNext(until limit: Duration?) -> Sleeper? {
    guard let next = sleepers.last, limit.map({ next.deadline <= $0 }) ?? true else {
      if let limit { now = max(now, limit) }
      return nil
    }
    now = max(now, next.deadline)
    return sleepers.removeLast()
  }
}
