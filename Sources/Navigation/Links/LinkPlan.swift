public import AppCore
public import Diagnostics

/// The target of a link or a position, parsed and checked against the graph.
///
/// A plan is a value, so it can be kept until the instance that it needs exists.
public struct LinkPlan: Hashable, Sendable {
  /// One step, on an app in which nothing else is shown.
  enum Step: Hashable, Sendable {
    /// `isLiving` means an existing instance, whatever its arguments.
    case push(node: Int, Value, isLiving: Bool)
    case present(node: Int, Value)
    case select(node: Int)
    /// The root of a container's tab, which may have been replaced; `tab` is the tab's own node.
    case root(node: Int, Value, tab: Int)
  }

  /// The address as it was given.
  public let address: String
  let steps: [Step]
  /// The node of which an instance must live first.
  public let needs: Int?
}

extension Graph {
  /// What an address means: a link, or a position where it begins with `/`.
  ///
  /// - Parameters:
  ///   - address: the link or the position.
  ///   - json: reads a list or an object; positions write them as JSON.
  /// - Returns: what is to be shown.
  /// - Throws: what is wrong with it, and where.
  /// - Complexity: O(n) in the length of the address, for a position; a link's shape is looked for
  ///   among all links.
  public func plan(
    _ address: String, json: @escaping (String) -> Value?
  ) throws(Rejection) -> LinkPlan {
    address.utf8.first == UInt8(ascii: "/")
      ? try PositionReader(graph: self, address: address, json: json).plan()
      : try LinkMatcher(graph: self, address: address).plan()
  }

  /// The arguments for `target` where what is around it was given `payload`.
  package func arguments(of target: Target, payload: Value) -> Value {
    arguments(target, payload: payload)
  }

  /// The arguments for `target`: the node's own, with those of the place that names it over them.
  func arguments(_ target: Target, payload: Value) -> Value {
    target.arguments.resolved(
      payload, over: nodes[target.node].arguments.resolved(.null))
  }
}
