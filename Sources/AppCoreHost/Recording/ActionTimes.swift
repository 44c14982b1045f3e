/// Counts and durations of an app's actions and screens since it began, by kind.
package final class ActionTimes {
  /// The actions of one kind, or the screens of one feature.
  package struct Entry: Hashable, Sendable {
    /// The kind, such as `Packages.List.view.rowTapped` or `Packages.List.screen()`.
    package let action: String
    package let count: Int
    /// The sum of the durations, in nanoseconds.
    package let total: Int
    /// The longest duration, in nanoseconds.
    package let longest: Int

    /// The average duration, in nanoseconds.
    package var mean: Double { Double(total) / Double(count) }
  }

  private struct Sum {
    var count = 0
    var total = 0
    var longest = 0
  }

  let kinds: ActionKinds
  /// The sums, by the numbers of the kinds.
  private var sums: [Sum] = []

  init(_ kinds: ActionKinds) { self.kinds = kinds }

  /// Adds an action of a kind, with its duration in nanoseconds.
  func add(_ duration: Int, to kind: Int) {
    while sums.count <= kind { sums.append(Sum()) }
    sums[kind].count += 1
    sums[kind].total += duration
    sums[kind].longest = max(sums[kind].longest, duration)
  }

  /// The kinds that have occurred, sorted by total duration, the longest first.
  package var entries: [Entry] {
    zip(kinds.names, sums)
      .map { Entry(action: $0, count: $1.count, total: $1.total, longest: $1.longest) }
      .filter { $0.count > 0 }
      .sorted { ($1.total, $0.action) < ($0.total, $1.action) }
  }
}
