public import Support

extension Manifest {
  /// A place in the graph: a feature with its arguments, or a container of tabs.
  public struct Node: Sendable {
    /// The node's id, its index in the manifest's nodes.
    public let id: NodeID

    /// The name, at its definition.
    public let name: Located<String>

    /// The name that tabs, breadcrumb and graph show.
    public let title: Located<String>?

    /// The feature or the tabs.
    public internal(set) var content: Content

    /// The default arguments; they can't refer to a payload.
    public internal(set) var with: Expression?

    /// The maximum number of instances in one stack.
    public let maxDepth: Located<Int>?

    /// The node's names in earlier versions of the manifest.
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

  /// The feature; `nil` for a container, or if the definition names neither.
  public var feature: FeatureReference? {
    if case .feature(let feature) = content { feature } else { nil }
  }

  /// The tabs; empty for a feature.
  public var tabs: [NodeUse] {
    if case .container(let tabs, _) = content { tabs } else { [] }
  }

  /// The container's background instances; empty for a feature.
  public var background: [NodeUse] {
    if case .container(_, let background) = content { background } else { [] }
  }
}

/// A node of one manifest, identified by its index.
public struct NodeID: Hashable, Comparable, Sendable {
  /// The index in the manifest's nodes.
  public let index: Int

  /// Creates the id of the node at an index of the manifest's nodes.
  public init(_ index: Int) { self.index = index }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}

/// A reference to a node by name.
public struct NodeReference: Hashable, Sendable {
  /// The name as written.
  public let name: String

  /// Its place in the file.
  public let range: SourceRange

  /// The node; `nil` if there is none of this name.
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

  /// The place of the full name.
  public let range: SourceRange

  /// The place of the plugin's part, if the name has no quotes.
  package var pluginRange: SourceRange {
    let column = range.start.column + plugin.unicodeScalars.count
    return SourceRange(
      file: range.file, start: range.start,
      end: SourcePosition(line: range.start.line, column: column))
  }

  /// The full name, `Plugin.Feature`.
  public var name: String { "\(plugin).\(feature)" }
}
