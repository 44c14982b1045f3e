public import AppCore
public import Support

/// The target of a link or a position, parsed and checked against the graph.
///
/// A plan is a value, so it can be kept until the instance that it needs exists.
public struct LinkPlan: Hashable, Sendable {
  /// The address as it was given.
  public let address: String
  /// The steps; the arguments of their targets are values.
  let steps: [Link.Step]
  /// The node of which an instance must exist first; `nil` if none is needed.
  public let needs: Int?

  /// The arguments that the address gives, each with the node that takes them.
  package var arguments: [(node: Int, arguments: Value)] {
    steps.compactMap { step in
      if case .select = step { nil } else { (step.target.node, step.target.value) }
    }
  }
}

extension Graph {
  /// Parses an address: a position if it begins with `/`, otherwise a link.
  ///
  /// `json` parses the JSON in which positions write lists and objects; `nil` if it is malformed.
  ///
  /// - Throws: a rejection that says what is wrong with the address, and where.
  /// - Complexity: O(*n*) for a position, where *n* is the length of the address; a link is also
  ///   compared with all links of the graph.
  public func plan(
    _ address: String, json: @escaping (String) -> Value?
  ) throws(Rejection) -> LinkPlan {
    address.utf8.first == UInt8(ascii: "/")
      ? try PositionReader(graph: self, address: address, json: json).plan()
      : try LinkMatcher(graph: self, address: address).plan()
  }

  /// The arguments for `target`, whose references are resolved in `payload`: the node's own,
  /// overridden by those of the target.
  package func arguments(of target: Target, payload: Value) -> Value {
    target.arguments.resolved(
      payload, over: nodes[target.node].arguments.resolved(.null))
  }
}
