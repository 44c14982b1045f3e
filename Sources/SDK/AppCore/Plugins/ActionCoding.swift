internal import Synchronization

/// Codes actions whose types need not be `Codable` as a whole.
///
/// A part that is `Codable` codes itself. An enum that is not becomes the name of its case, or an object
/// with that one field, and a tuple an object of its elements: as far as its parts can be coded, which
/// closures, errors and other structs can't.
enum ActionCoding {
  /// The enums that were met; looking one up by its metadata costs more than an action does.
  private static let known = Mutex<[ObjectIdentifier: EnumMetadata]>([:])

  private static func metadata(_ type: Any.Type) -> EnumMetadata? {
    if let found = known.withLock({ $0[ObjectIdentifier(type)] }) { return found }
    guard let metadata = EnumMetadata(type) else { return nil }
    known.withLock { $0[ObjectIdentifier(type)] = metadata }
    return metadata
  }

  /// The structural form of a value.
  ///
  /// - Returns: `nil` where a part of it has none.
  /// - Throws: what a type's own coding throws.
  static func encode<T>(_ value: T, for purpose: ValueEncoder.Purpose) throws -> Value? {
    if T.self is any Decodable.Type, let value = value as? any Encodable {
      return try ValueEncoder(for: purpose).encode(value)
    }
    guard !EnumMetadata.isOptional(T.self), let metadata = metadata(T.self) else { return nil }
    let tag = metadata.tag(of: value)
    let entry = metadata.cases[tag]
    guard let payload = entry.payload else { return .string(entry.name) }
    let coded = withUnsafePointer(to: value) { pointer in
      metadata.withPayload(of: pointer, tag: tag) { start in
        Result { try encode(at: start, payload, for: purpose) }
      }
    }
    return try coded.get().map { .object([entry.name: $0]) }
  }

  private static func encode(
    at start: UnsafeRawPointer, _ type: Any.Type, for purpose: ValueEncoder.Purpose
  ) throws -> Value? {
    guard let tuple = TupleMetadata(type) else {
      func open<T>(_ type: T.Type) throws -> Value? {
        try encode(start.assumingMemoryBound(to: T.self).pointee, for: purpose)
      }
      return try _openExistential(type, do: open)
    }
    var fields: [String: Value] = [:]
    for (index, element) in tuple.elements.enumerated() {
      guard let field = try encode(at: start + element.offset, element.type, for: purpose) else {
        return nil
      }
      fields[element.label ?? "_\(index)"] = field
    }
    return .object(fields)
  }

  /// The value of a structural form.
  ///
  /// - Returns: `nil` where a part of the type has none.
  /// - Throws: `DecodingError` where the form does not fit.
  static func decode<T>(_ type: T.Type, from value: Value) throws -> T? {
    if T.self is any Encodable.Type, let decodable = T.self as? any Decodable.Type {
      return try ValueDecoder().decode(decodable, from: value) as? T
    }
    guard !EnumMetadata.isOptional(T.self), let metadata = metadata(T.self) else { return nil }
    let (name, form) = try caseForm(value)
    guard let tag = metadata.tag(named: name) else {
      throw mismatch("there is no case '\(name)' in \(T.self)")
    }
    guard let payload = metadata.cases[tag].payload else {
      guard form == nil else { throw mismatch("the case '\(name)' carries nothing") }
      return metadata.bareValue(T.self, tag: tag)
    }
    guard let form else { throw mismatch("the case '\(name)' carries something") }
    // What is in a heap box can't be put there from outside.
    guard !metadata.isIndirect(tag) else { return nil }
    return try withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { buffer in
      guard let start = buffer.baseAddress,
        try decode(into: UnsafeMutableRawPointer(start), payload, from: form)
      else { return nil }
      metadata.inject(tag: tag, at: UnsafeMutableRawPointer(start))
      return start.move()
    }
  }

  private static func caseForm(_ value: Value) throws -> (name: String, form: Value?) {
    switch value {
    case .string(let name): return (name, nil)
    case .object(let fields):
      guard fields.count == 1, let field = fields.first else { fallthrough }
      return (field.key, field.value)
    default: throw mismatch("an action's case is a name, or an object with one field")
    }
  }

  /// Makes a value in memory that holds none.
  ///
  /// - Returns: whether it is there; `false` where a part of the type has no structural form.
  private static func decode(
    into start: UnsafeMutableRawPointer, _ type: Any.Type, from value: Value
  ) throws -> Bool {
    func open<T>(_ type: T.Type) throws -> Bool {
      guard let decoded = try decode(T.self, from: value) else { return false }
      start.initializeMemory(as: T.self, to: decoded)
      return true
    }
    guard let tuple = TupleMetadata(type) else { return try _openExistential(type, do: open) }
    var made: [TupleMetadata.Element] = []
    func discard() {
      for element in made { deinitialize(start + element.offset, element.type) }
    }
    do {
      for (index, element) in tuple.elements.enumerated() {
        let name = element.label ?? "_\(index)"
        guard let field = value[name] else { throw mismatch("the field '\(name)' is missing") }
        guard try decode(into: start + element.offset, element.type, from: field) else {
          discard()
          return false
        }
        made.append(element)
      }
    } catch {
      discard()
      throw error
    }
    return true
  }

  private static func deinitialize(_ start: UnsafeMutableRawPointer, _ type: Any.Type) {
    func open<T>(_ type: T.Type) {
      start.assumingMemoryBound(to: T.self).deinitialize(count: 1)
    }
    _openExistential(type, do: open)
  }

  private static func mismatch(_ text: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: text))
  }
}

@_spi(Host)
extension AnyAction {
  /// The action in structural form, with its secrets: for ``LoadedFeature/action(_:)``.
  ///
  /// - Returns: `nil` where a part of it has no structural form.
  /// - Throws: what the types' own coding throws.
  public func coded() throws -> Value? { try box.coded(for: .storage) }

  /// The same for people: a secret is `"<secret>"`.
  public func codedForPeople() throws -> Value? { try box.coded(for: .people) }
}
