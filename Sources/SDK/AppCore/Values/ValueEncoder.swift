/// Turns an `Encodable` value into a ``Value``.
public struct ValueEncoder {
  /// What a value is encoded for.
  package enum Purpose: Sendable {
    /// For another feature or a file: as the types say.
    case storage
    /// For people: without secrets.
    case people
    /// For another build of the same feature, in this process: with what is no part of a stored form.
    case takingOver
  }
  private var purpose: Purpose

  /// Whether secrets are left out: a ``Secret`` is encoded as `"<secret>"`.
  public var redactsSecrets: Bool {
    get { purpose == .people }
    set { purpose = newValue ? .people : .storage }
  }

  /// Creates an encoder.
  ///
  /// - Parameter redactsSecrets: whether secrets are left out, as in all that people are shown.
  public init(redactsSecrets: Bool = false) { purpose = redactsSecrets ? .people : .storage }

  package init(for purpose: Purpose) { self.purpose = purpose }

  /// The structural form of `value`.
  ///
  /// - Throws: what the type's own `encode(to:)` throws, and `EncodingError` for an integer that
  ///   does not fit 64 signed bits.
  public func encode(_ value: some Encodable) throws -> Value {
    let storage = EncodingStorage(purpose)
    try write(value, to: storage, codingPath: [])
    return storage.value
  }
}

/// One place of the tree being written; containers write through it, so that a nested container may
/// be filled after its parent went on.
private final class EncodingStorage {
  private enum Content {
    case single(Value)
    case array([EncodingStorage])
    case object([String: EncodingStorage])
  }
  private var content: Content?
  let purpose: ValueEncoder.Purpose

  init(_ purpose: ValueEncoder.Purpose) { self.purpose = purpose }

  var value: Value {
    switch content {
    case nil: .object([:])
    case .single(let value): value
    case .array(let elements): .array(elements.map(\.value))
    case .object(let fields): .object(fields.mapValues(\.value))
    }
  }

  var count: Int {
    if case .array(let elements) = content { elements.count } else { 0 }
  }

  func set(_ value: Value) { content = .single(value) }

  func becomeArray() { if case .array = content {} else { content = .array([]) } }

  func becomeObject() { if case .object = content {} else { content = .object([:]) } }

  func appendElement() -> EncodingStorage {
    let element = EncodingStorage(purpose)
    guard case .array(var elements) = content else {
      content = .array([element])
      return element
    }
    content = nil
    elements.append(element)
    content = .array(elements)
    return element
  }

  /// Turns `{ "name": {} }`, the case of an enum that carries nothing, into its name.
  func becomeName() {
    guard case .object(let fields) = content, fields.count == 1, let field = fields.first,
      field.value.value == .object([:])
    else { return }
    content = .single(.string(field.key))
  }

  /// The container under `name`; asked for again, it is the same one.
  func nested(_ name: String) -> EncodingStorage {
    guard case .object(let fields) = content, let field = fields[name] else { return field(name) }
    return field
  }

  /// A new place under `name`.
  func field(_ name: String) -> EncodingStorage {
    let field = EncodingStorage(purpose)
    guard case .object(var fields) = content else {
      content = .object([name: field])
      return field
    }
    content = nil
    fields[name] = field
    content = .object(fields)
    return field
  }
}

private struct StorageEncoder: Encoder {
  let storage: EncodingStorage
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] {
    let key: CodingUserInfoKey? =
      switch storage.purpose {
      case .storage: nil
      case .people: .redaction
      case .takingOver: .takingOver
      }
    return key.map { [$0: true] } ?? [:]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    storage.becomeObject()
    return KeyedEncodingContainer(KeyedStorage<Key>(storage: storage, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    storage.becomeArray()
    return UnkeyedStorage(storage: storage, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleStorage(storage: storage, codingPath: codingPath)
  }
}

/// How deep a state may be nested to be carried over: coding is recursion, in time O(n²).
private let takenOverDepth = 2000

/// Writes `value` into `storage`: scalars directly, everything else through its own `encode(to:)`.
///
/// An enum whose cases carry nothing is one string, as its ``Schema`` says.
private func write<T: Encodable>(
  _ value: T, to storage: EncodingStorage, codingPath: [any CodingKey]
) throws {
  switch value {
  case let value as Bool: storage.set(.bool(value))
  case let value as String: storage.set(.string(value))
  case let value as Int: storage.set(.int(value))
  case let value as Double: storage.set(.double(value))
  case let value as Float: storage.set(.double(Double(value)))
  case let value as any FixedWidthInteger & Encodable:
    guard let integer = Int(exactly: value) ?? bits(value, storage.purpose) else {
      if storage.purpose == .people { return storage.set(.string("\(value)")) }
      throw EncodingError.invalidValue(
        value,
        .init(codingPath: codingPath, debugDescription: "\(value) does not fit 64 signed bits"))
    }
    storage.set(.int(integer))
  case let value as Value: storage.set(value)
  default:
    if storage.purpose == .takingOver, codingPath.count > takenOverDepth {
      throw EncodingError.invalidValue(
        T.self,
        .init(
          codingPath: [],
          debugDescription: "it is nested deeper than \(takenOverDepth) levels"))
    }
    try value.encode(to: StorageEncoder(storage: storage, codingPath: codingPath))
    if EnumMetadata.isPlain(T.self) { storage.becomeName() }
  }
}

/// An unsigned number by its bits, for a reader that knows its type.
private func bits(_ value: some FixedWidthInteger, _ purpose: ValueEncoder.Purpose) -> Int? {
  purpose == .takingOver && value.bitWidth == 64 ? Int(truncatingIfNeeded: value) : nil
}

private struct KeyedStorage<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let storage: EncodingStorage
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { storage.field(key.stringValue).set(.null) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    try write(value, to: storage.field(key.stringValue), codingPath: codingPath + [key])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    StorageEncoder(storage: storage.field("super"), codingPath: codingPath)
  }

  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: Key) -> StorageEncoder {
    StorageEncoder(storage: storage.nested(key.stringValue), codingPath: codingPath + [key])
  }
}

private struct UnkeyedStorage: UnkeyedEncodingContainer {
  let storage: EncodingStorage
  let codingPath: [any CodingKey]
  var count: Int { storage.count }

  func encodeNil() { storage.appendElement().set(.null) }

  func encode(_ value: some Encodable) throws {
    let codingPath = codingPath + [IndexKey(count)]
    try write(value, to: storage.appendElement(), codingPath: codingPath)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    superEncoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    let codingPath = codingPath + [IndexKey(count)]
    return StorageEncoder(storage: storage.appendElement(), codingPath: codingPath)
  }
}

private struct SingleStorage: SingleValueEncodingContainer {
  let storage: EncodingStorage
  let codingPath: [any CodingKey]

  func encodeNil() { storage.set(.null) }

  func encode(_ value: some Encodable) throws {
    try write(value, to: storage, codingPath: codingPath)
  }
}
