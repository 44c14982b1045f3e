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

/// A value together with the place it was read from.
public struct Located<Value> {
  /// What was read.
  public var value: Value

  /// Where it stands.
  public var range: SourceRange

  /// Joins a value to its place.
  public init(_ value: Value, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
extension Located: Sendable where Value: Sendable {}
