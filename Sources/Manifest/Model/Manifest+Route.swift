public import Diagnostics

extension Manifest {
  /// What happens when a node's feature emits a delegate action.
  public struct Route: Sendable {
    /// The nodes that it stands for.
    public internal(set) var source: Source

    /// The delegate cases that it stands for; never empty unless a problem was reported.
    public let actions: [Located<String>]

    /// What happens, as one step, in this order.
    public internal(set) var steps: [Step]

    /// The whole route.
    public let range: SourceRange
  }
}

extension Manifest.Route {
  /// The nodes that a route applies to.
  public enum Source: Hashable, Sendable {
    /// Every node whose feature has the delegate case; a route that names the node takes
    /// precedence.
    case any(SourceRange)

    /// These nodes.
    case nodes([NodeReference])

    /// The nodes that are named; none for `any`.
    public var nodes: [NodeReference] {
      if case .nodes(let nodes) = self { nodes } else { [] }
    }
  }
}
