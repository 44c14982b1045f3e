public import Support

extension Manifest {
  /// A place in the graph: a feature with its arguments, or a container of tabs.
  ///
  /// It is neither if its definition could not be read, which is reported.
  public struct Node: Sendable {
    /// The node's id, its index in the manifest's nodes.
    public let id: NodeID
    /// The name, at its definition.
    public let name: Located<String>
    /// The name that tabs, breadcrumb and graph show.
    public internal(set) var title: Located<String>?
    /// The feature that the node shows; `nil` for a container.
    public internal(set) var feature: FeatureReference?
    /// Whether the node holds tabs.
    public internal(set) var isContainer = false
    /// The tabs; empty for a feature.
    public internal(set) var tabs: [NodeUse] = []
    /// The container's background instances; empty for a feature.
    public internal(set) var background: [NodeUse] = []
    /// The default arguments; they can't refer to a payload.
    public internal(set) var with: Expression?
    /// The maximum number of instances in one stack.
    public internal(set) var maxDepth: Located<Int>?
    /// The node's names in earlier versions of the manifest.
    public internal(set) var formerNames: [Located<String>] = []
    /// The whole definition.
    public let range: SourceRange

    package var parts: [NodeUse] { tabs + background }

    /// Forgets what the node is, because it is not known which definition counts.
    mutating func forgetContent() {
      feature = nil
      isContainer = false
      tabs = []
      background = []
    }
  }
}

/// A node of one manifest, identified by its index.
public struct NodeID: Hashable, Sendable {
  public let index: Int

  public init(_ index: Int) { self.index = index }
}

/// A reference to a node by name.
public struct NodeReference: Hashable, Sendable {
  public let name: String
  /// Its place in the file.
  public let range: SourceRange
  /// The node; `nil` if there is none of this name.
  public internal(set) var id: NodeID?
}

/// A node as a tab or in the background, with the arguments it gets there.
public struct NodeUse: Hashable, Sendable {
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
