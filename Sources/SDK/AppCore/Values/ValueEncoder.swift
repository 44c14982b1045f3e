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
    try tree(of: value).value
  }

  /// The same, as the tree that was written.
  func tree(of value: some Encodable) throws -> CodingItem {
    let root = CodingNode(purpose)
    defer { root.finish() }
    try root.write(value)
    return CodingItem.node(root).resolved
  }
}

/// How deep a state may be nested to be carried over: coding is recursion.
private let takenOverDepth = 2000

extension Value {
  /// A scalar of the standard library's, as it is coded; `nil` for everything else, and for a number
  /// that does not fit.
  @inline(__always)
  fileprivate init?<T>(scalar value: T) {
    // Where the compiler knows the type, one of these is left.
    if T.self == String.self {
      self = .string(retyped(value, as: String.self))
    } else if T.self == Int.self {
      self = .int(retyped(value, as: Int.self))
    } else if T.self == Bool.self {
      self = .bool(retyped(value, as: Bool.self))
    } else if T.self == Double.self {
      self = .double(retyped(value, as: Double.self))
    } else if T.self == Float.self {
      self = .double(Double(retyped(value, as: Float.self)))
    } else if T.self == UInt8.self {
      self = .int(Int(retyped(value, as: UInt8.self)))
    } else if T.self == Int32.self {
      self = .int(Int(retyped(value, as: Int32.self)))
    } else if T.self == Int64.self {
      self = .int(Int(retyped(value, as: Int64.self)))
    } else if T.self == UInt64.self, let number = Int(exactly: retyped(value, as: UInt64.self)) {
      self = .int(number)
    } else if T.self == UInt.self, let number = Int(exactly: retyped(value, as: UInt.self)) {
      self = .int(number)
    } else if T.self == Value.self {
      self = retyped(value, as: Value.self)
    } else {
      return nil
    }
  }
}

extension CodingNode {
  /// Writes `value` here: scalars directly, everything else through its own `encode(to:)`.
  ///
  /// An enum whose cases carry nothing is one string, as its ``Schema`` says.
  @inline(__always)
  func write<T: Encodable>(_ value: T) throws {
    if let scalar = Value(scalar: value) { set(scalar) } else { try writeOther(value) }
  }

  private func writeOther<T: Encodable>(_ value: T) throws {
    let kind = CodedTypes.kind(of: T.self)
    if kind == .integer, let integer = value as? any FixedWidthInteger & Encodable {
      return set(try number(integer, path))
    }
    if purpose.isTakingOver, depth > takenOverDepth {
      throw EncodingError.invalidValue(
        T.self,
        .init(
          codingPath: [],
          debugDescription: "it is nested deeper than \(takenOverDepth) levels"))
    }
    try value.encode(to: self)
    if kind == .plainEnum { becomeName() }
  }

  /// An integer as it is coded.
  private func number(
    _ value: any FixedWidthInteger & Encodable, _ path: @autoclosure () -> [any CodingKey]
  ) throws -> Value {
    if let integer = Int(exactly: value) { return .int(integer) }
    // An unsigned number by its bits, for a reader that knows its type.
    if purpose.isTakingOver, value.bitWidth == 64 { return .int(Int(truncatingIfNeeded: value)) }
    if case .people = purpose { return .string("\(value)") }
    throw EncodingError.invalidValue(
      value,
      .init(codingPath: path(), debugDescription: "\(value) does not fit 64 signed bits"))
  }
}

extension CodingNode: Encoder {
  var codingPath: [any CodingKey] { path }
  var userInfo: [CodingUserInfoKey: Any] { purpose.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    becomeObject()
    return KeyedEncodingContainer(KeyedWriting<Key>(node: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    becomeList()
    return ListWriting(node: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleWriting(node: self) }
}

private struct KeyedWriting<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: CodingNode
  var codingPath: [any CodingKey] { node.path }

  func encodeNil(forKey key: Key) { node.set(key.stringValue, .leaf(.null)) }

  @inline(__always)
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    if let scalar = Value(scalar: value) {
      node.set(key.stringValue, .leaf(scalar))
    } else {
      try node.field(key.stringValue, Key.self).write(value)
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { node.field("super", nil) }

  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: Key) -> CodingNode { node.nested(key.stringValue, Key.self) }
}

private struct ListWriting: UnkeyedEncodingContainer {
  let node: CodingNode
  var codingPath: [any CodingKey] { node.path }
  var count: Int { node.count }

  func encodeNil() { node.append(.leaf(.null)) }

  @inline(__always)
  func encode<T: Encodable>(_ value: T) throws {
    if let scalar = Value(scalar: value) {
      node.append(.leaf(scalar))
    } else {
      try node.element().write(value)
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    superEncoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { node.element() }
}

private struct SingleWriting: SingleValueEncodingContainer {
  let node: CodingNode
  var codingPath: [any CodingKey] { node.path }

  func encodeNil() { node.set(.null) }

  @inline(__always)
  func encode<T: Encodable>(_ value: T) throws { try node.write(value) }
}
