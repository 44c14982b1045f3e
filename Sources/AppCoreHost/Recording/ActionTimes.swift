@_spi(Host) internal import AppCore
internal import Navigation

/// Counts and durations of an app's actions and screens since it began, by kind; each case of a
/// feature's action type is a kind, and the screens of a feature are one.
///
/// A kind gets its number when it is first seen.
final class ActionTimes {
  /// The actions of one kind, or the screens of one feature.
  struct Entry {
    /// The kind, such as `Packages.List.view.rowTapped` or `Packages.List.screen()`.
    let action: String
    var count = 0
    /// The sum of the durations, and the longest one, in nanoseconds.
    var total = 0
    var longest = 0

    var mean: Double { Double(total) / Double(count) }
  }

  /// The kinds, by their numbers.
  private var kinds: [Entry] = []
  private var numbers: [String: Int] = [:]
  private var readers: [Reader?] = []
  private let own = Reader(ActionCases(AppAction.self), of: "appcore")

  /// The kinds that have occurred, sorted by total duration, the longest first.
  var entries: [Entry] {
    kinds.filter { $0.count > 0 }.sorted { ($1.total, $0.action) < ($0.total, $1.action) }
  }

  /// The name of a kind, such as `Packages.List.view.rowTapped`.
  func name(of kind: Int) -> String { kinds[kind].action }

  /// Adds an action of a kind, with its duration in nanoseconds.
  func add(_ duration: Int, to kind: Int) {
    kinds[kind].count += 1
    kinds[kind].total += duration
    kinds[kind].longest = max(kinds[kind].longest, duration)
  }

  /// The number of an action's kind.
  ///
  /// `node` is that of its instance; `nil` if the instance is gone.
  ///
  /// - Complexity: O(1); only the first action of a kind allocates memory.
  func kind(of action: AppAction, node: Int?, in graph: Graph) -> Int {
    guard case .instance(_, let action) = action else {
      return kind(own.cases.number(of: action), in: own)
    }
    // The instance is gone, so its feature is not known.
    guard let node else { return kind(named: "appcore.dropped") }
    if node < readers.count, let reader = readers[node],
      let index = reader.cases.number(of: action)
    {
      return kind(index, in: reader)
    }
    // The first action of its node, or the first one of another build of its feature.
    let reader = Reader(ActionCases(of: action), of: graph.nodes[node].feature ?? "")
    while readers.count <= node { readers.append(nil) }
    readers[node] = reader
    return kind(reader.cases.number(of: action) ?? 0, in: reader)
  }

  private func kind(_ index: Int, in reader: Reader) -> Int {
    if reader.kinds[index] < 0 {
      reader.kinds[index] = kind(named: "\(reader.owner).\(reader.cases.names[index])")
    }
    return reader.kinds[index]
  }

  /// The number of the kind with a name, such as `Packages.List.screen()`.
  func kind(named name: String) -> Int {
    if let number = numbers[name] { return number }
    kinds.append(Entry(action: name))
    numbers[name] = kinds.count - 1
    return kinds.count - 1
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
