/// The shape of a `Codable` type's structural form, as far as it can be known without a value.
public indirect enum Schema: Hashable, Sendable {
  case bool
  case int
  case double
  case string
  /// A string that is never shown.
  case secret
  /// Any value at all.
  case any
  case optional(Schema)
  case array(Schema)
  /// An object with any names and values of one shape.
  case dictionary(Schema)
  /// An object with these fields, in the order in which the type decodes them.
  case object([Field])
  /// One of several strings: an enum with raw values, or with cases without payloads.
  case choice([String])
  /// An enum with payloads.
  case variant([CaseSchema])
  /// A recursive reference to a type, by its name.
  case recursive(String)
  /// A type that can't be probed, by its name; values are checked when they are decoded.
  case opaque(String)

  /// One field of an object.
  public struct Field: Hashable, Sendable {
    /// The name, as `CodingKeys` gives it.
    public let name: String
    public let schema: Schema
    /// The value of the field if it is left out; `nil` if there is no default.
    public let defaultValue: Value?

    public init(name: String, schema: Schema, defaultValue: Value? = nil) {
      self.name = name
      self.schema = schema
      self.defaultValue = defaultValue
    }

    /// Whether a value must have this field.
    public var isRequired: Bool {
      if case .optional = schema { return false }
      return defaultValue == nil
    }
  }
}

/// One case of an enum, with the shape of its payload.
public struct CaseSchema: Hashable, Sendable {
  public let name: String
  /// The shape of the payload, to which `$` refers; `nil` for a case without a payload.
  ///
  /// A single value without a label has its own shape; others are the fields of an object.
  public let payload: Schema?

  public init(name: String, payload: Schema?) {
    self.name = name
    self.payload = payload
  }
}

extension Schema: CustomStringConvertible {
  /// The shape in a few words: `string`, `list of integer`, `{ name: string, size: integer? }`.
  public var description: String {
    switch self {
    case .bool: "boolean"
    case .int: "integer"
    case .double: "number"
    case .string: "string"
    case .secret: "secret"
    case .any: "any"
    case .optional(let wrapped): "\(wrapped)?"
    case .array(let element): "list of \(element)"
    case .dictionary(let element): "{ …: \(element) }"
    case .object(let fields) where fields.isEmpty: "{}"
    case .object(let fields):
      "{ " + fields.map { "\($0.name): \($0.schema)" }.joined(separator: ", ") + " }"
    case .choice(let names): "one of " + names.joined(separator: ", ")
    case .variant(let cases): "one of " + cases.map(\.description).joined(separator: ", ")
    case .recursive(let name), .opaque(let name): name
    }
  }
}

extension CaseSchema: CustomStringConvertible {
  /// The case as it is written: `packageSelected(name: string)`.
  public var description: String {
    switch payload {
    case nil: name
    case .object(let fields)?:
      "\(name)(" + fields.map { "\($0.name): \($0.schema)" }.joined(separator: ", ") + ")"
    case .some(let schema): "\(name)(\(schema))"
    }
  }
}
