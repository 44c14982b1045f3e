/// Counts the values that aliases expand to, without expanding them.
struct AliasSizes {
  /// The indexes of the aliases in the tree's entries, in order.
  private var positions: [Int] = []

  /// The prefix sums: the number of values that each alias and all earlier ones expand to.
  private var sums: [Int] = []

  /// The number of aliases.
  var count: Int { positions.count }

  /// The number of values that all aliases expand to, nested aliases included.
  var total: Int { sums.last ?? 0 }

  /// Adds an alias whose target is a value, given as the range of its entries.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of aliases.
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
  /// The sum; `Int.max` on overflow.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
