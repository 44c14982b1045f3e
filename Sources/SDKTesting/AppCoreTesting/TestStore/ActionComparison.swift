@_spi(Host) internal import AppCore

/// The result of comparing two actions whose type need not be `Equatable`.
enum ActionComparison {
  case equal
  case different
  /// A part has this type, which is not `Equatable`.
  case incomparable(String)

  /// Compares `Equatable` parts with `==`, and the others part by part.
  static func of(_ left: Any, _ right: Any) -> ActionComparison {
    guard type(of: left) == type(of: right) else { return .different }
    if let left = left as? any Equatable {
      return isEqual(left, right) ? .equal : .different
    }
    let mirrors = (Mirror(reflecting: left), Mirror(reflecting: right))
    switch mirrors.0.displayStyle {
    case .enum:
      guard EnumCase.name(of: left) == EnumCase.name(of: right) else { return .different }
      return parts(mirrors)
    case .struct, .tuple, .optional, .collection: return parts(mirrors)
    case .class:
      return (left as AnyObject) === (right as AnyObject)
        ? .equal : .incomparable("\(type(of: left))")
    default: return .incomparable("\(type(of: left))")
    }
  }

  private static func parts(_ mirrors: (Mirror, Mirror)) -> ActionComparison {
    let (left, right) = (Array(mirrors.0.children), Array(mirrors.1.children))
    guard left.count == right.count else { return .different }
    var unknown: ActionComparison?
    for (one, other) in zip(left, right) {
      switch of(one.value, other.value) {
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
