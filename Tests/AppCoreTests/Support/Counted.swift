import Synchronization

/// Counts how many of its objects live.
final class LifeCount: Sendable {
  private let count = Atomic(0)
  var alive: Int { count.load(ordering: .relaxed) }
  fileprivate func add(_ change: Int) { count.add(change, ordering: .relaxed) }
}

/// An object whose life is counted.
final class Counted: Sendable {
  let number: Int
  private let count: LifeCount

  init(_ number: Int = 0, _ count: LifeCount) {
    self.number = number
    self.count = count
    count.add(1)
  }

  deinit { count.add(-1) }
}
