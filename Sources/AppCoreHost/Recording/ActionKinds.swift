@_spi(Host) internal import AppCore
internal import Navigation

/// Numbers the kinds of an app's actions; each case of a feature's action type is a kind.
///
/// A kind gets its number when it is first seen.
package final class ActionKinds {
  /// The names of the kinds by their numbers, such as `Packages.List.view.rowTapped`.
  package private(set) var names: [String] = []

  private let feature: (_ node: Int) -> String?
  private var numbers: [String: Int] = [:]
  /// The reader for each node's actions, by the node's index.
  private var readers: [Reader?] = []
  private let own = Reader(ActionCases(AppAction.self), of: "appcore")

  /// - Parameter feature: returns the name of a node's feature.
  init(feature: @escaping (_ node: Int) -> String?) { self.feature = feature }

  /// The number of an action's kind.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - node: the node of its instance; `nil` if the instance is gone.
  /// - Returns: the number, an index of ``names``.
  /// - Complexity: O(1); only the first action of a kind allocates memory.
  func number(of action: AppAction, node: Int?) -> Int {
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
    let reader = Reader(ActionCases(of: action), of: feature(node) ?? "")
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
