// Types are compared before a value is cast, because a failed cast takes longer than all of these
// comparisons.
extension Value {
  /// Creates a value from a scalar listed here, or from a `Value`; `nil` for any other type.
  init?<T>(scalar: T) {
    if T.self == String.self, let text = scalar as? String {
      self = .string(text)
    } else if T.self == Int.self, let number = scalar as? Int {
      self = .int(number)
    } else if T.self == Bool.self, let flag = scalar as? Bool {
      self = .bool(flag)
    } else if T.self == Double.self, let number = scalar as? Double {
      self = .double(number)
    } else if T.self == Float.self, let number = scalar as? Float {
      self = .double(Double(number))
    } else if T.self == Value.self, let value = scalar as? Value {
      self = value
    } else {
      return nil
    }
  }

  /// This value as a scalar of type `T`; `nil` if it is not one, or if `T` is not listed here.
  ///
  /// An integer is also a floating-point number.
  func scalar<T>(_ type: T.Type) -> T? {
    switch self {
    case .string(let text) where T.self == String.self: text as? T
    case .int(let number) where T.self == Int.self: number as? T
    case .int(let number) where T.self == Double.self: Double(number) as? T
    case .int(let number) where T.self == Float.self: Float(number) as? T
    case .bool(let flag) where T.self == Bool.self: flag as? T
    case .double(let number) where T.self == Double.self: number as? T
    case .double(let number) where T.self == Float.self: Float(number) as? T
    case _ where T.self == Value.self: self as? T
    default: nil
    }
  }
}
