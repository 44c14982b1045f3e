/// A structural value, which features exchange because they share no types.
///
/// Through its `Codable` form, a delegate action of one plugin becomes an input action or the
/// arguments of another. Neither plugin sees anything else of the other's type.
@frozen
public enum Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array([Value])
  case object([String: Value])
}

extension Value {
  /// The field `name` of an object; `nil` if this is not an object or has no such field.
  ///
  /// Setting a field of `null` makes it an object, and setting `nil` removes the field. What is
  /// neither an object nor `null` has no fields: setting one is reported, and changes nothing.
  public subscript(name: String) -> Value? {
    get {
      guard case .object(let fields) = self else { return nil }
      return fields[name]
    }
    set {
      switch self {
      case .object(var fields):
        self = .null
        fields[name] = newValue
        self = .object(fields)
      case .null:
        if let newValue { self = .object([name: newValue]) }
      default:
        RuntimeIssue.report(
          """
          the field '\(name)' was set in \(kind), which has no fields; nothing has changed
            - set it in an object, or replace the whole value
          """)
      }
    }
  }

  /// The kind of this value, in words for a message: `a string`, `an object`.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .int: "an integer"
    case .double: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: Value...) { self = .array(elements) }

  /// An object; of two fields with the same name, the last one is used.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

extension Value: Codable {
  /// Decodes whatever the decoder holds, keeping its structure.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([Value].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: Value].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
