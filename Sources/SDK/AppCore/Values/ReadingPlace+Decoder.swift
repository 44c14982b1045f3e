extension ReadingPlace: Decoder {
  var codingPath: [any CodingKey] { path }
  var userInfo: [CodingUserInfoKey: Any] { purpose.userInfo }

  func container<Key: CodingKey>(keyedBy key: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if let node {
      guard node.isObject else { throw mismatch([String: Value].self, item) }
      return KeyedDecodingContainer(KeyedReading<Key>(place: self))
    }
    switch value {
    case .object: return KeyedDecodingContainer(KeyedReading<Key>(place: self))
    case .string(let name):
      guard let type, EnumMetadata.isEnum(type) else { fallthrough }
      let bare = ReadingPlace(.leaf(.object([name: .object([:])])), in: self, nil)
      return KeyedDecodingContainer(KeyedReading<Key>(place: bare))
    default: throw mismatch([String: Value].self, item)
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if let node, node.isList { return ListReading(place: self, total: node.count) }
    if node == nil, case .array(let elements) = value {
      return ListReading(place: self, total: elements.count)
    }
    throw mismatch([Value].self, item)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleReading(place: self) }

  /// The names of an object's fields.
  var names: [String] {
    if let node { return node.fieldNames.sorted() }
    if case .object(let fields) = value { return fields.keys.sorted() }
    return []
  }

  /// The field `name` of an object.
  subscript(name: String) -> CodingItem? {
    if let node { return node[name] }
    guard case .object(let fields) = value, let field = fields[name] else { return nil }
    return .leaf(field)
  }

  /// The element of a list at `position`, which must be one of it.
  func element(_ position: Int) -> CodingItem {
    if let node { return node[position] }
    if case .array(let elements) = value { return .leaf(elements[position]) }
    return .leaf(.null)
  }
}

private struct KeyedReading<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let place: ReadingPlace
  var codingPath: [any CodingKey] { place.path }
  var allKeys: [Key] { place.names.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { place[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try item(key.stringValue, key).isNull }

  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let name = key.stringValue
    return try place.read(
      type, from: item(name, key), CodingStep(name: name, type: Key.self))
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let name = key.stringValue
    guard let item = place[name], !item.isNull else { return nil }
    return try place.read(type, from: item, CodingStep(name: name, type: Key.self))
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
    ReadingPlace(place["super"] ?? .leaf(.null), in: place, nil)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }

  private func nested(_ key: Key) throws -> ReadingPlace {
    let name = key.stringValue
    return ReadingPlace(
      try item(name, key), in: place, CodingStep(name: name, type: Key.self))
  }

  private func item(_ name: String, _ key: Key) throws -> CodingItem {
    guard let item = place[name] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "no field '\(name)'"))
    }
    return item
  }
}

private struct ListReading: UnkeyedDecodingContainer {
  let place: ReadingPlace
  var currentIndex = 0
  private let total: Int
  var codingPath: [any CodingKey] { place.path }
  var count: Int? { total }
  var isAtEnd: Bool { currentIndex >= total }

  init(place: ReadingPlace, total: Int) {
    self.place = place
    self.total = total
  }

  mutating func decodeNil() throws -> Bool {
    guard try peek().isNull else { return false }
    currentIndex += 1
    return true
  }

  @inline(__always)
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let result = try place.read(type, from: peek(), CodingStep(index: currentIndex))
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
    let decoder = ReadingPlace(try peek(), in: place, CodingStep(index: currentIndex))
    currentIndex += 1
    return decoder
  }

  private func peek() throws -> CodingItem {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self, .init(codingPath: codingPath, debugDescription: "the list ends here"))
    }
    return place.element(currentIndex)
  }
}

private struct SingleReading: SingleValueDecodingContainer {
  let place: ReadingPlace
  var codingPath: [any CodingKey] { place.path }

  func decodeNil() -> Bool { place.isNull }

  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try place.read(type) }
}
