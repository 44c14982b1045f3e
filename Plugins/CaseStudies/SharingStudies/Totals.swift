/// A count, with its lowest and highest value and the number of its changes.
struct Totals: Codable, Sendable, Equatable {
  private(set) var count = 0
  private(set) var lowest = 0
  private(set) var highest = 0
  private(set) var changes = 0

  mutating func change(by difference: Int) {
    count += difference
    lowest = min(lowest, count)
    highest = max(highest, count)
    changes += 1
  }
}
