@_spi(Host) internal import AppCore
internal import Navigation

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

  let kinds = ActionKinds()
  /// The sums, by the numbers of the kinds.
  private var sums: [Sum] = []

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

/// Numbers the kinds of an app's actions; each case of a feature's action type is a kind.
///
/// A kind gets its number when it is first seen.
package final class ActionKinds {
  /// The names of the kinds by their numbers, such as `Packages.List.view.rowTapped`.
  package private(set) var names: [String] = []

  private var numbers: [String: Int] = [:]
  /// The reader for each node's actions, by the node's index.
  private var readers: [Reader?] = []
  private let own = Reader(ActionCases(AppAction.self), of: "appcore")

  /// The number of an action's kind, an index of ``names``.
  ///
  /// `node` is that of its instance; `nil` if the instance is gone.
  ///
  /// - Complexity: O(1); only the first action of a kind allocates memory.
  func number(of action: AppAction, node: Int?, in graph: Graph) -> Int {
    guard case .instance(_, let action) = action else {
      return number(own.cases.number(of: action), in: own)
    }
    // The instance is gone, so its feature is not known.
    guard let node else { return number(named: "appcore.dropped") }
    if node < readers.count, let reader = readers[node],
      let index = reader.cases.number(of: action)
    {
      return number(index, in: reader)
    }
    // The first action of its node, or the first one of another build of its feature.
    let reader = Reader(ActionCases(of: action), of: graph.nodes[node].feature ?? "")
    while readers.count <= node { readers.append(nil) }
    readers[node] = reader
    return number(reader.cases.number(of: action) ?? 0, in: reader)
  }

  private func number(_ index: Int, in reader: Reader) -> Int {
    if reader.kinds[index] < 0 {
      reader.kinds[index] = number(named: "\(reader.owner).\(reader.cases.names[index])")
    }
    return reader.kinds[index]
  }

  /// The number of the kind with a name, such as `Packages.List.screen()`.
  func number(named name: String) -> Int {
    if let number = numbers[name] { return number }
    names.append(name)
    numbers[name] = names.count - 1
    return names.count - 1
  }

  /// Determines the kinds of actions of one type.
  private final class Reader {
    let cases: ActionCases
    let owner: String
    /// The kind of each case; -1 before it is seen.
    var kinds: [Int]

    init(_ cases: ActionCases, of owner: String) {
      self.cases = cases
      self.owner = owner
      kinds = Array(repeating: -1, count: cases.names.count)
    }
  }
}
