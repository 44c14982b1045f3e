/// A decoder that records what a dry run of `init(from:)` requests, and answers with made-up
/// values.
final class RecordingDecoder: Decoder {
  enum Shape {
    case object([Schema.Field])
    case array(Schema)
    case single(Schema)
  }

  fileprivate private(set) var probe: SchemaProbe
  private(set) var shape: Shape?
  /// Whether a value could be made for each requested field, so that the shape is complete.
  private(set) var finished = true
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ probe: SchemaProbe) { self.probe = probe }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if shape == nil { shape = .object([]) }
    return KeyedDecodingContainer(KeyedContainer<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    shape = .array(.any)
    return UnkeyedContainer(decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// A made-up value of `type`; `shape` makes the new shape from the type's schema.
  fileprivate func value<T: Decodable>(of type: T.Type, shape: (Schema) -> Shape) throws -> T {
    let result = probe.describe(type, decodable: type)
    self.shape = shape(result.schema)
    guard let value = result.value as? T else {
      finished = false
      throw CannotProbe()
    }
    return value
  }

  /// The shape with another field, which replaces one of the same name.
  fileprivate func adding(_ name: String, _ schema: Schema) -> Shape {
    let field = Schema.Field(name: name, schema: schema)
    guard case .object(var fields) = shape else { return .object([field]) }
    if let index = fields.firstIndex(where: { $0.name == name }) {
      fields[index] = field
    } else {
      fields.append(field)
    }
    return .object(fields)
  }

  /// Records a field that may be absent, and answers that it is.
  fileprivate func optional<T: Decodable>(_ type: T.Type, _ key: some CodingKey) -> T? {
    shape = adding(key.stringValue, .optional(probe.describe(type, decodable: type).schema))
    return nil
  }

  /// A decoder for a nested container under `name`; its fields, which hand-written code decodes,
  /// are not recorded.
  fileprivate func nested(_ name: String) -> RecordingDecoder {
    shape = adding(name, .any)
    return RecordingDecoder(probe)
  }
}

extension RecordingDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try value(of: type) { .single($0) }
  }
}

/// No value can be made up for a type that was requested.
private struct CannotProbe: Error {}

private struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RecordingDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.value(of: type) { decoder.adding(key.stringValue, $0) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    optional(type, key)
  }

  // The standard library calls these, one per scalar type, for optional properties.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { optional(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { optional(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { optional(type, key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) -> Float? { optional(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { optional(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) -> Int8? { optional(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) -> Int16? { optional(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) -> Int32? { optional(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { optional(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) -> UInt? { optional(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) -> UInt8? { optional(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) -> UInt16? { optional(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) -> UInt32? { optional(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) -> UInt64? { optional(type, key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    decoder.nested(key.stringValue).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    decoder.nested(key.stringValue).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }
  func superDecoder(forKey key: Key) -> any Decoder { decoder.nested(key.stringValue) }

  private func optional<T: Decodable>(_ type: T.Type, _ key: Key) -> T? {
    decoder.optional(type, key)
  }
}

private struct UnkeyedContainer: UnkeyedDecodingContainer {
  let decoder: RecordingDecoder
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decoder.value(of: type) { .array($0) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedDecodingContainer<Nested> {
    RecordingDecoder(decoder.probe).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }
  func superDecoder() -> any Decoder { decoder }
}
