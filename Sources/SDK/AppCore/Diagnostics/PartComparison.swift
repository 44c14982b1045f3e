/// The result of comparing two values whose type need not be `Equatable`.
@_spi(Host) @frozen public enum PartComparison {
  case equal
  case different
  /// A part has this type, which is not `Equatable`.
  case incomparable(String)

  /// Compares `Equatable` parts with `==`, and the others part by part.
  ///
  /// Not by their dumps, which show no secrets and end somewhere. Parts that are nested more than
  /// 1,000 deep are incomparable.
  public static func of(_ left: Any, _ right: Any) -> PartComparison { of(left, right, 1_000) }

  private static func of(_ left: Any, _ right: Any, _ depth: Int) -> PartComparison {
    guard type(of: left) == type(of: right) else { return .different }
    if let left = left as? any Equatable {
      return isEqual(left, right) ? .equal : .different
    }
    let mirrors = (Mirror(reflecting: left), Mirror(reflecting: right))
    switch mirrors.0.displayStyle {
    case .enum:
      guard EnumCase.name(of: left) == EnumCase.name(of: right) else { return .different }
      return parts(mirrors, depth)
    case .struct, .tuple, .optional, .collection: return parts(mirrors, depth)
    case .class:
      return (left as AnyObject) === (right as AnyObject)
        ? .equal : .incomparable("\(type(of: left))")
    default: return .incomparable("\(type(of: left))")
    }
  }

  private static func parts(_ mirrors: (Mirror, Mirror), _ depth: Int) -> PartComparison {
    guard depth > 0 else { return .incomparable("\(mirrors.0.subjectType)") }
    let (left, right) = (Array(mirrors.0.children), Array(mirrors.1.children))
    guard left.count == right.count else { return .different }
    var unknown: PartComparison?
    for (one, other) in zip(left, right) {
      switch of(one.value, other.value, depth - 1) {
      case .equal: continue
      case .different: return .different
      case let incomparable: unknown = unknown ?? incomparable
      }
    }
    return unknown ?? .equal
  }

  private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    right as? Value == left
  }
}
