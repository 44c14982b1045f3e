/// How many values aliases stand for, without expanding them.
struct AliasSizes {
  /// The entries that are aliases, in order.
  private var positions: [Int] = []

  /// What they and all before them stand for.
  private var sums: [Int] = []

  /// The number of aliases.
  var count: Int { positions.count }

  /// The values that all aliases stand for, those in aliased values counted each time.
  var total: Int { sums.last ?? 0 }

  /// Adds an alias of a value, given with all that is in it.
  ///
  /// - Complexity: O(log aliases).
  mutating func add(at position: Int, target: Range<Int>) {
    let first = index(of: target.lowerBound)
    let last = index(of: target.upperBound)
    let nested = sum(before: last) - sum(before: first)
    positions.append(position)
    sums.append(total.addingClamped(target.count.addingClamped(nested)))
  }

  private func sum(before index: Int) -> Int { index == 0 ? 0 : sums[index - 1] }

  /// The number of aliases before an entry.
  private func index(of entry: Int) -> Int {
    var low = 0
    var high = positions.count
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Int {
  /// The sum, or the largest integer.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
