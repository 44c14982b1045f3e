public import Diagnostics

extension Manifest {
  /// A place in the graph: a feature with its arguments, or a container of tabs.
  public struct Node: Sendable {
    /// The node's id, its index in the manifest's nodes.
    public let id: NodeID

    /// The name, at its definition.
    public let name: Located<String>

    /// What tabs, breadcrumb and graph call it.
    public let title: Located<String>?

    /// What the node is.
    public internal(set) var content: Content

    /// The default arguments; there is no payload in them.
    public internal(set) var with: Expression?

    /// How many instances one stack may hold.
    public let maxDepth: Located<Int>?

    /// What the node was called in earlier versions of the manifest.
    public let formerNames: [Located<String>]

    /// The whole definition.
    public let range: SourceRange
  }
}

extension Manifest.Node {
  /// A feature or a container.
  public enum Content: Sendable {
    /// The node shows a feature.
    case feature(FeatureReference)

    /// The node holds tabs and instances in the background.
    case container(tabs: [NodeUse], background: [NodeUse])

    /// The definition names neither; already reported.
    case missing
  }

  /// The feature, unless the node is a container.
  public var feature: FeatureReference? {
    if case .feature(let feature) = content { feature } else { nil }
  }

  /// The tabs; none for a feature.
  public var tabs: [NodeUse] {
    if case .container(let tabs, _) = content { tabs } else { [] }
  }

  /// The container's background instances; none for a feature.
  public var background: [NodeUse] {
    if case .container(_, let background) = content { background } else { [] }
  }
}
