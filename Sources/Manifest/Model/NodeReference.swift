public import Diagnostics

/// A node's name where something refers to it.
public struct NodeReference: Hashable, Sendable {
  /// The name as written.
  public let name: String

  /// Where it stands.
  public let range: SourceRange

  /// The node; nil when there is none of this name, which is reported already.
  public internal(set) var id: NodeID?
}
