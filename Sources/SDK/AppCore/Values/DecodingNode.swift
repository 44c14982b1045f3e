/// The decoder for one place in a value.
struct DecodingNode: Decoder {
  private let value: Value
  private let purpose: ValueEncoder.Purpose
  private let path: CodingPath
  /// The type that is decoded here; `nil` in a nested container.
  private var type: (any Decodable.Type)?

  init(_ value: Value, for purpose: ValueEncoder.Purpose, at path: CodingPath) {
    self.value = value
    self.purpose = purpose
    self.path = path
  }

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { purpose.userInfo }

  func container<Key: CodingKey>(keyedBy key: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch value {
    case .object(let fields):
      return KeyedDecodingContainer(KeyedContainer<Key>(node: self, fields: fields))
    case .string(let name) where type.map(EnumMetadata.isEnum) ?? false:
      // A case without a payload: its synthesized decoding expects `{ "name": {} }`.
      return KeyedDecodingContainer(KeyedContainer<Key>(node: self, fields: [name: .object([:])]))
    default: throw mismatch([String: Value].self)
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([Value].self) }
    return UnkeyedContainer(node: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension DecodingNode: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }

  /// Decodes the value as `type`: scalars directly, everything else by its own `init(from:)`.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let scalar = value.scalar(type) { return scalar }
    if let integer = type as? any FixedWidthInteger.Type {
      guard let number = try self.integer(integer) as? T else { throw mismatch(type) }
      return number
    }
    let scalars: [Any.Type] = [String.self, Bool.self, Double.self, Float.self]
    if scalars.contains(where: { $0 == type }) { throw mismatch(type) }
    var node = self
    node.type = type
    return try type.init(from: node)
  }

  private func integer<I: FixedWidthInteger>(_ type: I.Type) throws -> I {
    guard case .int(let number) = value else { throw mismatch(type) }
    if let exact = I(exactly: number) { return exact }
    // An unsigned integer that was encoded as its bit pattern.
    if purpose == .takingOver, I.bitWidth == 64 { return I(truncatingIfNeeded: number) }
    throw DecodingError.dataCorrupted(
      .init(codingPath: codingPath, debugDescription: "\(number) does not fit \(type)"))
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(
      type,
      .init(codingPath: codingPath, debugDescription: "expected \(type), found \(value.kind)"))
  }

  /// The decoder for a part of this value, under `key`.
  fileprivate func nested(_ value: Value, _ key: some CodingKey) -> DecodingNode {
    DecodingNode(value, for: purpose, at: path.appending(key))
  }

  /// The decoder of a superclass, which shares this one's path.
  fileprivate func superNode(_ value: Value) -> DecodingNode {
    DecodingNode(value, for: purpose, at: path)
  }
}

private struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let node: DecodingNode
  let fields: [String: Value]
  var codingPath: [any CodingKey] { node.codingPath }
  var allKeys: [Key] { fields.keys.sorted().compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try field(key) == .null }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let field = try field(key)
    return try field.scalar(type) ?? node.nested(field, key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try node.nested(field(key), key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try node.nested(field(key), key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { node.superNode(fields["super"] ?? .null) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try node.nested(field(key), key) }

  private func field(_ key: Key) throws -> Value {
    guard let field = fields[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "no field '\(key.stringValue)'"))
    }
    return field
  }
}

private struct UnkeyedContainer: UnkeyedDecodingContainer {
  let node: DecodingNode
  let elements: [Value]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { node.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(node: DecodingNode, elements: [Value]) {
    self.node = node
    self.elements = elements
  }

  mutating func decodeNil() throws -> Bool {
    guard try next() == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let element = try next()
    let decoded =
      try element.scalar(type) ?? node.nested(element, IndexKey(currentIndex)).decode(type)
    currentIndex += 1
    return decoded
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try superDecoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try superDecoder().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = node.nested(try next(), IndexKey(currentIndex))
    currentIndex += 1
    return decoder
  }

  /// The element to be decoded next.
  private func next() throws -> Value {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self, .init(codingPath: codingPath, debugDescription: "the list ends here"))
    }
    return elements[currentIndex]
  }
}
