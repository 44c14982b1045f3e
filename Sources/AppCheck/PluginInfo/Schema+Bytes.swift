package import AppCore
package import PluginHost

/// The kinds of schemas and values, encoded in one byte.
private enum Mark {
  static let none: UInt8 = 0
  static let some: UInt8 = 1

  static let bool: UInt8 = 1
  static let int: UInt8 = 2
  static let double: UInt8 = 3
  static let string: UInt8 = 4
  static let array: UInt8 = 5
  static let object: UInt8 = 6
  static let null: UInt8 = 7
  static let secret: UInt8 = 8
  static let any: UInt8 = 9
  static let optional: UInt8 = 10
  static let dictionary: UInt8 = 11
  static let choice: UInt8 = 12
  static let variant: UInt8 = 13
  static let recursive: UInt8 = 14
  static let opaque: UInt8 = 15

  /// The depth to which schemas and values may nest; nothing deeper is ever written.
  static let depth = 256
}

extension ByteWriter {
  package mutating func optional<Wrapped>(
    _ value: Wrapped?, _ write: (inout ByteWriter, Wrapped) -> Void
  ) {
    byte(value == nil ? Mark.none : Mark.some)
    if let value { write(&self, value) }
  }

  package mutating func enumCase(_ schema: CaseSchema) {
    string(schema.name)
    optional(schema.payload) { $0.schema($1) }
  }

  package mutating func schema(_ schema: Schema) {
    switch schema {
    case .bool: byte(Mark.bool)
    case .int: byte(Mark.int)
    case .double: byte(Mark.double)
    case .string: byte(Mark.string)
    case .secret: byte(Mark.secret)
    case .any: byte(Mark.any)
    case .optional(let wrapped):
      byte(Mark.optional)
      self.schema(wrapped)
    case .array(let element):
      byte(Mark.array)
      self.schema(element)
    case .dictionary(let element):
      byte(Mark.dictionary)
      self.schema(element)
    case .object(let fields):
      byte(Mark.object)
      list(fields) { writer, field in
        writer.string(field.name)
        writer.schema(field.schema)
        writer.optional(field.defaultValue) { $0.value($1) }
      }
    case .choice(let names):
      byte(Mark.choice)
      list(names) { $0.string($1) }
    case .variant(let cases):
      byte(Mark.variant)
      list(cases) { $0.enumCase($1) }
    case .recursive(let name):
      byte(Mark.recursive)
      string(name)
    case .opaque(let name):
      byte(Mark.opaque)
      string(name)
    @unknown default:
      byte(Mark.opaque)
      string("\(schema)")
    }
  }

  package mutating func value(_ value: Value) {
    switch value {
    case .null: byte(Mark.null)
    case .bool(let value):
      byte(Mark.bool)
      byte(value ? Mark.some : Mark.none)
    case .int(let value):
      byte(Mark.int)
      word(UInt64(bitPattern: Int64(value)))
    case .double(let value):
      byte(Mark.double)
      word(value.bitPattern)
    case .string(let value):
      byte(Mark.string)
      string(value)
    case .array(let elements):
      byte(Mark.array)
      list(elements) { $0.value($1) }
    case .object(let fields):
      byte(Mark.object)
      list(fields.sorted { $0.key < $1.key }) { writer, field in
        writer.string(field.key)
        writer.value(field.value)
      }
    }
  }
}

extension ByteReader {
  /// Reads an optional value; the outer `nil` means that the bytes are not in this format.
  package mutating func optional<Wrapped>(_ read: (inout ByteReader) -> Wrapped?) -> Wrapped?? {
    switch byte() {
    case Mark.none?: .some(nil)
    case Mark.some?: read(&self).map { .some($0) }
    default: nil
    }
  }

  package mutating func enumCase(depth: Int = 0) -> CaseSchema? {
    guard let name = string(), let payload = optional({ $0.schema(depth: depth) }) else {
      return nil
    }
    return CaseSchema(name: name, payload: payload)
  }

  package mutating func schema(depth: Int = 0) -> Schema? {
    guard depth < Mark.depth, let mark = byte() else { return nil }
    switch mark {
    case Mark.bool: return .bool
    case Mark.int: return .int
    case Mark.double: return .double
    case Mark.string: return .string
    case Mark.secret: return .secret
    case Mark.any: return .any
    case Mark.optional: return schema(depth: depth + 1).map { .optional($0) }
    case Mark.array: return schema(depth: depth + 1).map { .array($0) }
    case Mark.dictionary: return schema(depth: depth + 1).map { .dictionary($0) }
    case Mark.object:
      return list { reader -> Schema.Field? in
        guard let name = reader.string(), let schema = reader.schema(depth: depth + 1),
          let value = reader.optional({ $0.value(depth: depth + 1) })
        else { return nil }
        return Schema.Field(name: name, schema: schema, defaultValue: value)
      }.map { .object($0) }
    case Mark.choice: return list { $0.string() }.map { .choice($0) }
    case Mark.variant: return list { $0.enumCase(depth: depth + 1) }.map { .variant($0) }
    case Mark.recursive: return string().map { .recursive($0) }
    case Mark.opaque: return string().map { .opaque($0) }
    default: return nil
    }
  }

  package mutating func value(depth: Int = 0) -> Value? {
    guard depth < Mark.depth, let mark = byte() else { return nil }
    switch mark {
    case Mark.null: return .null
    case Mark.bool: return byte().map { .bool($0 == Mark.some) }
    case Mark.int: return word().map { .int(Int(Int64(bitPattern: $0))) }
    case Mark.double: return word().map { .double(Double(bitPattern: $0)) }
    case Mark.string: return string().map { .string($0) }
    case Mark.array: return list { $0.value(depth: depth + 1) }.map { .array($0) }
    case Mark.object:
      return list { reader -> (String, Value)? in
        guard let name = reader.string(), let value = reader.value(depth: depth + 1) else {
          return nil
        }
        return (name, value)
      }.map { .object(Dictionary($0, uniquingKeysWith: { $1 })) }
    default: return nil
    }
  }
}
