@_spi(Host) internal import AppCore
internal import Navigation

/// Numbers the kinds of an app's actions: each case of a feature's actions is one.
///
/// A kind is numbered when it is first seen, so there are at most as many as there are cases.
package final class ActionKinds {
  /// The names by number, such as `Packages.List.view.rowTapped`.
  package private(set) var names: [String] = []

  private let feature: (_ node: Int) -> String?
  private var numbers: [String: Int] = [:]
  /// Tells the cases of each node's actions.
  private var readers: [Reader?] = []
  private let own = Reader(ActionCases(AppAction.self), of: "appcore")

  /// - Parameter feature: the name of a node's feature.
  init(feature: @escaping (_ node: Int) -> String?) { self.feature = feature }

  /// Numbers an action's kind.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - node: the node of its instance; `nil` if that is gone.
  /// - Returns: the number, an index of ``names``.
  /// - Complexity: O(1), without an allocation, but for the first action of a kind.
  func number(of action: AppAction, node: Int?) -> Int {
    guard case .instance(_, let action) = action else {
      return number(own.cases.number(of: action), in: own)
    }
    // Which feature's it was is not known any more.
    guard let node else { return number(named: "appcore.dropped") }
    if node < readers.count, let reader = readers[node],
      let index = reader.cases.number(of: action)
    {
      return number(index, in: reader)
    }
    // The first one of its node, or of another build of its feature.
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

  private func number(named name: String) -> Int {
    if let number = numbers[name] { return number }
    names.append(name)
    numbers[name] = names.count - 1
    return names.count - 1
  }

  /// The cases of one type of actions.
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
