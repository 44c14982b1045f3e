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
