/// A node of one manifest, as its place in the order of definition.
public struct NodeID: Hashable, Comparable, Sendable {
  @usableFromInline let index32: Int32

  /// Names the node at an index of the manifest's nodes.
  public init(_ index: Int) { index32 = Int32(clamping: index) }

  /// The index in the manifest's nodes.
  @inlinable public var index: Int { Int(index32) }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.index32 < right.index32 }
}
