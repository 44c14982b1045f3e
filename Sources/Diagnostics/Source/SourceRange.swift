/// Where something stands: a file of a ``SourceMap`` and two positions in it.
///
/// A range holds no path, so that the many ranges of a manifest stay small; ``SourceMap`` knows
/// the paths and the text. Ranges order by file in order of loading, then by position.
public struct SourceRange: Hashable, Comparable, Sendable {
  @usableFromInline let file32: UInt32

  /// Where it begins.
  public let start: SourcePosition

  /// Where it ends: the position after the last character.
  public let end: SourcePosition

  /// Makes a range in a file.
  public init(file: Int, start: SourcePosition, end: SourcePosition) {
    file32 = UInt32(clamping: file)
    self.start = start
    self.end = end
  }

  /// The file, as its index in the ``SourceMap``.
  @inlinable public var file: Int { Int(file32) }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    if left.file32 != right.file32 { return left.file32 < right.file32 }
    return left.start != right.start ? left.start < right.start : left.end < right.end
  }
}
