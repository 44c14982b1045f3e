/// What a dry run of `init(from:)` asked for.
final class Recording {
  enum Shape {
    case object([Schema.Field])
    case array(Schema)
    case single(Schema)
  }

  var probing: Probing
  var shape: Shape?
  /// Whether every field asked for could be given a value, so that none is missing from the shape.
  var finished = true

  init(probing: Probing) { self.probing = probing }

  func add(_ field: Schema.Field) {
    guard case .object(var fields) = shape else {
      shape = .object([field])
      return
    }
    if let index = fields.firstIndex(where: { $0.name == field.name }) {
      fields[index] = field
    } else {
      fields.append(field)
    }
    shape = .object(fields)
  }

  /// A made-up value of `type`, its schema handed to `record`.
  func value<T: Decodable>(of type: T.Type, record: (Schema) -> Void) throws -> T {
    let probed = probing.describe(type, decodable: type)
    record(probed.schema)
    guard let value = probed.value as? T else {
      finished = false
      throw CannotProbe()
    }
    return value
  }
}

/// A type on the way has no value that can be made up.
private struct CannotProbe: Error {}

struct RecordingDecoder: Decoder {
  let recording: Recording
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if recording.shape == nil { recording.shape = .object([]) }
    return KeyedDecodingContainer(KeyedRecording<Key>(recording: recording))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    recording.shape = .array(.any)
    return UnkeyedRecording(recording: recording)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleRecording(recording: recording)
  }
}

private struct KeyedRecording<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let recording: Recording
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try recording.value(of: type) {
      recording.add(Schema.Field(name: key.stringValue, schema: $0))
    }
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
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    nested(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { RecordingDecoder(recording: recording) }
  func superDecoder(forKey key: Key) -> any Decoder { nested(key) }

  private func optional<T: Decodable>(_ type: T.Type, _ key: Key) -> T? {
    let schema = recording.probing.describe(type, decodable: type).schema
    recording.add(Schema.Field(name: key.stringValue, schema: .optional(schema)))
    return nil
  }

  /// A nested container's fields are decoded by hand-written code; they are not looked into.
  private func nested(_ key: Key) -> RecordingDecoder {
    recording.add(Schema.Field(name: key.stringValue, schema: .any))
    return RecordingDecoder(recording: Recording(probing: recording.probing))
  }
}

private struct UnkeyedRecording: UnkeyedDecodingContainer {
  let recording: Recording
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try recording.value(of: type) { recording.shape = .array($0) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedDecodingContainer<Nested> {
    RecordingDecoder(recording: Recording(probing: recording.probing)).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }
  mutating func superDecoder() -> any Decoder { RecordingDecoder(recording: recording) }
}

private struct SingleRecording: SingleValueDecodingContainer {
  let recording: Recording
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try recording.value(of: type) { recording.shape = .single($0) }
  }
}
