/// The encoder for one place in a value: collects what a type encodes there.
///
/// A nested container may be filled while its parent is still being written, so the parent keeps
/// the container's node. Everything else becomes a ``Value`` as soon as it is encoded.
final class EncodingNode: Encoder {
  private enum Shape { case single, list, object }
  fileprivate enum Element {
    case value(Value)
    case node(EncodingNode)

    var value: Value {
      switch self {
      case .value(let value): value
      case .node(let node): node.value
      }
    }
  }

  private let purpose: ValueEncoder.Purpose
  private let path: CodingPath
  /// Which of the following three is in use.
  private var shape = Shape.object
  private var single = Value.null
  fileprivate private(set) var elements: [Element] = []
  private var fields: [String: Element] = [:]

  init(_ purpose: ValueEncoder.Purpose, at path: CodingPath) {
    self.purpose = purpose
    self.path = path
  }

  /// The value that was encoded here.
  var value: Value {
    switch shape {
    case .single: single
    case .list: .array(elements.map(\.value))
    case .object: .object(fields.mapValues(\.value))
    }
  }

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { purpose.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    become(.object)
    return KeyedEncodingContainer(KeyedContainer<Key>(node: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    become(.list)
    return UnkeyedContainer(node: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private func become(_ shape: Shape) {
    if self.shape != shape { (elements, fields) = ([], [:]) }
    self.shape = shape
  }
}

extension EncodingNode: SingleValueEncodingContainer {
  /// The deepest nesting of a state that can be carried over, since encoding is recursive.
  private static var takenOverDepth: Int { 2000 }

  func encodeNil() { set(.null) }

  /// Encodes `value` here: scalars directly, everything else by its own `encode(to:)`.
  func encode<T: Encodable>(_ value: T) throws {
    if let scalar = Value(scalar: value) { return set(scalar) }
    if let integer = value as? any FixedWidthInteger & Encodable {
      return set(try encoded(integer))
    }
    if purpose == .takingOver, path.depth > Self.takenOverDepth {
      throw EncodingError.invalidValue(
        T.self,
        .init(
          codingPath: [],
          debugDescription: "it is nested deeper than \(Self.takenOverDepth) levels"))
    }
    try value.encode(to: self)
    if shape == .list, let stride = Value.unorderedStride(of: T.self) { sort(by: stride) }
    if EnumMetadata.isPlain(T.self) { replaceEmptyCaseByName() }
  }

  private func set(_ value: Value) {
    become(.single)
    single = value
  }

  private func encoded(_ integer: any FixedWidthInteger & Encodable) throws -> Value {
    if let number = Int(exactly: integer) { return .int(number) }
    // An unsigned integer is encoded as its bit pattern; the decoder knows its type.
    if purpose == .takingOver, integer.bitWidth == 64 {
      return .int(Int(truncatingIfNeeded: integer))
    }
    if purpose == .people { return .string("\(integer)") }
    throw EncodingError.invalidValue(
      integer,
      .init(codingPath: codingPath, debugDescription: "\(integer) does not fit 64 signed bits"))
  }

  private func sort(by stride: Int) {
    elements = elements.map(\.value).sorted(by: stride).map { .value($0) }
  }

  /// Replaces `{ "name": {} }`, the synthesized encoding of an enum's case, by the string `"name"`.
  private func replaceEmptyCaseByName() {
    guard shape == .object, fields.count == 1, let (name, field) = fields.first,
      field.value == .object([:])
    else { return }
    set(.string(name))
  }
}

// Used by the containers.
extension EncodingNode {
  fileprivate func set(_ name: String, _ field: Element) {
    become(.object)
    fields[name] = field
  }

  fileprivate func append(_ element: Element) {
    become(.list)
    elements.append(element)
  }

  /// Encodes `value` for the place under `key`.
  fileprivate func encoded<T: Encodable>(_ value: T, at key: some CodingKey) throws -> Element {
    if let scalar = Value(scalar: value) { return .value(scalar) }
    let node = EncodingNode(purpose, at: path.appending(key))
    try node.encode(value)
    return .value(node.value)
  }

  /// The node under `key`: the same one when a container is asked for again.
  fileprivate func nested(_ key: some CodingKey) -> EncodingNode {
    if case .node(let node)? = fields[key.stringValue] { return node }
    let node = EncodingNode(purpose, at: path.appending(key))
    set(key.stringValue, .node(node))
    return node
  }

  /// A new node at the end of the list.
  fileprivate func nestedElement() -> EncodingNode {
    let node = EncodingNode(purpose, at: path.appending(IndexKey(elements.count)))
    append(.node(node))
    return node
  }

  /// The node of a superclass, which shares this one's path.
  fileprivate func superNode() -> EncodingNode {
    let node = EncodingNode(purpose, at: path)
    set("super", .node(node))
    return node
  }
}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode
  var codingPath: [any CodingKey] { node.codingPath }

  func encodeNil(forKey key: Key) { node.set(key.stringValue, .value(.null)) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    node.set(key.stringValue, try node.encoded(value, at: key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    node.nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    node.nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { node.superNode() }
  func superEncoder(forKey key: Key) -> any Encoder { node.nested(key) }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
  let node: EncodingNode
  var codingPath: [any CodingKey] { node.codingPath }
  var count: Int { node.elements.count }

  func encodeNil() { node.append(.value(.null)) }

  func encode<T: Encodable>(_ value: T) throws {
    node.append(try node.encoded(value, at: IndexKey(count)))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    node.nestedElement().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    node.nestedElement().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { node.nestedElement() }
}
