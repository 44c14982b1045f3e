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

/// A node of one manifest, as its place in the order of definition.
public struct NodeID: Hashable, Comparable, Sendable {
  /// The index in the manifest's nodes.
  public let index: Int

  /// Names the node at an index of the manifest's nodes.
  public init(_ index: Int) { self.index = index }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}

/// A node's name where something refers to it.
public struct NodeReference: Hashable, Sendable {
  /// The name as written.
  public let name: String

  /// Its place in the file.
  public let range: SourceRange

  /// The node; nil when there is none of this name, which is already reported.
  public internal(set) var id: NodeID?
}

/// A node as a tab or in the background, with the arguments it gets there.
public struct NodeUse: Hashable, Sendable {
  /// The node.
  public internal(set) var node: NodeReference

  /// The arguments; in a container, `$` is what the container was given.
  public let with: Manifest.Expression?

  /// The whole entry.
  public let range: SourceRange
}

/// A feature's full name, `Plugin.Feature`, where a node names it.
public struct FeatureReference: Hashable, Sendable {
  /// The plugin's part of the name.
  public let plugin: String

  /// The feature's part of the name.
  public let feature: String

  /// Where the full name stands.
  public let range: SourceRange

  /// Where the plugin's part stands, in a name without quotes.
  package var pluginRange: SourceRange {
    let column = range.start.column + plugin.unicodeScalars.count
    return SourceRange(
      file: range.file, start: range.start,
      end: SourcePosition(line: range.start.line, column: column))
  }

  /// The full name, `Plugin.Feature`.
  public var name: String { "\(plugin).\(feature)" }
}
