/// How often each kind of action was reduced since the app began, and how long that took.
package final class ActionTimes {
  /// What is known of one kind.
  package struct Entry: Hashable, Sendable {
    /// The kind, such as `Packages.List.view.rowTapped`.
    package let action: String
    package let count: Int
    /// In nanoseconds, all together.
    package let total: Int
    /// In nanoseconds, of the longest one.
    package let longest: Int

    /// In nanoseconds, on average.
    package var mean: Double { Double(total) / Double(count) }
  }

  private struct Sum {
    var count = 0
    var total = 0
    var longest = 0
  }

  let kinds: ActionKinds
  /// By the numbers of the kinds.
  private var sums: [Sum] = []

  init(_ kinds: ActionKinds) { self.kinds = kinds }

  /// Counts an action of a kind.
  func add(_ duration: Int, to kind: Int) {
    while sums.count <= kind { sums.append(Sum()) }
    sums[kind].count += 1
    sums[kind].total += duration
    sums[kind].longest = max(sums[kind].longest, duration)
  }

  /// The kinds that were seen, the one that took longest in total first.
  package var entries: [Entry] {
    zip(kinds.names, sums)
      .map { Entry(action: $0, count: $1.count, total: $1.total, longest: $1.longest) }
      .filter { $0.count > 0 }
      .sorted { ($1.total, $0.action) < ($0.total, $1.action) }
  }
}
