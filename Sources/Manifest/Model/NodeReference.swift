public import Diagnostics

/// A node's name where something refers to it.
public struct NodeReference: Hashable, Sendable {
  /// The name as written.
  public let name: String

  /// Its place in the file.
  public let range: SourceRange

  /// The node; nil when there is none of this name, which is already reported.
  public internal(set) var id: NodeID?
}
