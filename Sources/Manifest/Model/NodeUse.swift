public import Diagnostics

/// A node as a tab or in the background, with the arguments it gets there.
public struct NodeUse: Hashable, Sendable {
  /// The node.
  public internal(set) var node: NodeReference

  /// The arguments; in a container, `$` is what the container was given.
  public let with: Manifest.Expression?

  /// The whole entry.
  public let range: SourceRange
}
