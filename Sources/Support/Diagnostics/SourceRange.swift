/// A range of source text: a file of a ``SourceMap`` and two positions in it.
///
/// A range contains no path: ``SourceMap`` knows the paths and the text. Ranges are ordered by
/// file, in order of loading, then by position.
public struct SourceRange: Hashable, Comparable, Sendable {
  /// The file, as its index in the ``SourceMap``.
  public let file: Int
  public let start: SourcePosition
  /// Where it ends: the position after the last character.
  public let end: SourcePosition

  public init(file: Int, start: SourcePosition, end: SourcePosition) {
    self.file = file
    self.start = start
    self.end = end
  }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    if left.file != right.file { return left.file < right.file }
    return left.start != right.start ? left.start < right.start : left.end < right.end
  }
}

/// A place between two characters of a source text.
///
/// Lines and columns count from 1; a column is one Unicode scalar, as libyaml counts them.
public struct SourcePosition: Hashable, Comparable, Sendable {
  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1, in Unicode scalars.
  public let column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.line != right.line ? left.line < right.line : left.column < right.column
  }
}

/// A value together with the range it was read from.
public struct Located<Value> {
  public var value: Value
  public var range: SourceRange

  public init(_ value: Value, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
extension Located: Sendable where Value: Sendable {}
