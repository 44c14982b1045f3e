/// A place between two characters of a source text.
///
/// Lines and columns count from 1; a column is one Unicode scalar, as libyaml counts them.
public struct SourcePosition: Hashable, Comparable, Sendable {
  @usableFromInline let line32: UInt32
  @usableFromInline let column32: UInt32

  /// Makes a position; numbers that no file reaches are clamped.
  public init(line: Int, column: Int) {
    line32 = UInt32(clamping: line)
    column32 = UInt32(clamping: column)
  }

  /// The line, counted from 1.
  @inlinable public var line: Int { Int(line32) }

  /// The column, counted from 1, in Unicode scalars.
  @inlinable public var column: Int { Int(column32) }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.line32 != right.line32 ? left.line32 < right.line32 : left.column32 < right.column32
  }
}
