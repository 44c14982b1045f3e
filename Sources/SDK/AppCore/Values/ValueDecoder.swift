/// Makes a `Decodable` value of a ``Value``.
public struct ValueDecoder {
  private let takesOver: Bool

  /// Creates a decoder.
  public init() { takesOver = false }

  /// - Parameter takesOver: whether it reads what was encoded for another build of the feature.
  package init(takesOver: Bool) { self.takesOver = takesOver }

  /// A value of `type` with the content of `value`.
  ///
  /// An integer is accepted where a floating-point number is due, and a string where the case of an
  /// enum is due that carries nothing; nothing else is converted.
  ///
  /// - Throws: `DecodingError` with the path of the field that does not fit.
  public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
    try read(type, from: value, Place(codingPath: [], takesOver: takesOver))
  }
}

/// Where something is read, and how.
private struct Place {
  let codingPath: [any CodingKey]
  let takesOver: Bool

  func inside(_ key: any CodingKey) -> Place {
    Place(codingPath: codingPath + [key], takesOver: takesOver)
  }
}

private func mismatch(
  _ type: Any.Type, _ value: Value, _ codingPath: [any CodingKey]
) -> DecodingError {
  .typeMismatch(
    type, .init(codingPath: codingPath, debugDescription: "expected \(type), found \(value.kind)"))
}

private func read<T: Decodable>(_ type: T.Type, from value: Value, _ place: Place) throws -> T {
  let result: Any?
  switch (value, type) {
  case (_, is Value.Type): result = value
  case (.bool(let scalar), is Bool.Type): result = scalar
  case (.string(let scalar), is String.Type): result = scalar
  case (.int(let scalar), is Int.Type): result = scalar
  case (.double(let scalar), is Double.Type): result = scalar
  case (.int(let scalar), is Double.Type): result = Double(scalar)
  case (.double(let scalar), is Float.Type): result = Float(scalar)
  case (.int(let scalar), is Float.Type): result = Float(scalar)
  case (.int(let scalar), let integer as any FixedWidthInteger.Type):
    result = exactly(integer, scalar, place)
    if result == nil {
      throw DecodingError.dataCorrupted(
        .init(codingPath: place.codingPath, debugDescription: "\(scalar) does not fit \(type)"))
    }
  case (_, is Bool.Type), (_, is String.Type), (_, is Double.Type), (_, is Float.Type),
    (_, is any FixedWidthInteger.Type):
    throw mismatch(type, value, place.codingPath)
  default:
    return try type.init(from: TreeDecoder(value: value, place: place, type: type))
  }
  guard let typed = result as? T else { throw mismatch(type, value, place.codingPath) }
  return typed
}

private func exactly<I: FixedWidthInteger>(_ type: I.Type, _ value: Int, _ place: Place) -> I? {
  I(exactly: value)
    ?? (place.takesOver && I.bitWidth == 64 ? I(truncatingIfNeeded: value) : nil)
}

private struct TreeDecoder: Decoder {
  let value: Value
  let place: Place
  /// What is being decoded; `nil` in a nested container.
  var type: (any Decodable.Type)?
  var codingPath: [any CodingKey] { place.codingPath }
  var userInfo: [CodingUserInfoKey: Any] {
    guard place.takesOver, let key = CodingUserInfoKey.takingOver else { return [:] }
    return [key: true]
  }

  func container<Key: CodingKey>(keyedBy key: Key.Type) throws -> KeyedDecodingContainer<Key> {
    var value = value
    if case .string(let name) = value, let type, EnumMetadata.isEnum(type) {
      value = .object([name: .object([:])])
    }
    guard case .object(let fields) = value else {
      throw mismatch([String: Value].self, value, codingPath)
    }
    return KeyedDecodingContainer(KeyedTree<Key>(fields: fields, place: place))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else {
      throw mismatch([Value].self, value, codingPath)
    }
    return UnkeyedTree(elements: elements, place: place)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleTree(value: value, place: place)
  }
}

private struct KeyedTree<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let fields: [String: Value]
  let place: Place
  var codingPath: [any CodingKey] { place.codingPath }
  var allKeys: [Key] { fields.keys.sorted().compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try read(type, from: value(key), place.inside(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder {
    TreeDecoder(value: fields["super"] ?? .null, place: place)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }

  private func nested(_ key: Key) throws -> TreeDecoder {
    TreeDecoder(value: try value(key), place: place.inside(key))
  }

  private func value(_ key: Key) throws -> Value {
    guard let value = fields[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        .init(codingPath: codingPath, debugDescription: "no field '\(key.stringValue)'"))
    }
    return value
  }
}

private struct UnkeyedTree: UnkeyedDecodingContainer {
  let elements: [Value]
  let place: Place
  var codingPath: [any CodingKey] { place.codingPath }
  var currentIndex = 0
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(elements: [Value], place: Place) {
    self.elements = elements
    self.place = place
  }

  mutating func decodeNil() throws -> Bool {
    guard try peek() == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let result = try read(type, from: peek(), place.inside(IndexKey(currentIndex)))
    currentIndex += 1
    return result
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
    let decoder = TreeDecoder(value: try peek(), place: place.inside(IndexKey(currentIndex)))
    currentIndex += 1
    return decoder
  }

  private func peek() throws -> Value {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self, .init(codingPath: codingPath, debugDescription: "the list ends here"))
    }
    return elements[currentIndex]
  }
}

private struct SingleTree: SingleValueDecodingContainer {
  let value: Value
  let place: Place
  var codingPath: [any CodingKey] { place.codingPath }

  func decodeNil() -> Bool { value == .null }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try read(type, from: value, place)
  }
}
