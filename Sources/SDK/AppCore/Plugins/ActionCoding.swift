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
    if TupleMetadata(T.self) != nil {
      return try object(of: TupleMetadata.parts(of: value), purpose)
    }
    guard !EnumMetadata.isOptional(T.self), let metadata = metadata(T.self) else { return nil }
    let tag = metadata.tag(of: value)
    let entry = metadata.cases[tag]
    guard let payload = entry.payload else { return .string(entry.name) }
    let parts = metadata.parts(of: value, tag: tag)
    guard TupleMetadata(payload) == nil, let part = parts.first else {
      return try object(of: parts, purpose).map { .object([entry.name: $0]) }
    }
    func open<Part>(_ part: Part) throws -> Value? { try encode(part, for: purpose) }
    return try _openExistential(part.value, do: open).map { .object([entry.name: $0]) }
  }

  /// An object of a tuple's elements; `nil` where one has no structural form.
  private static func object(
    of parts: [(label: String?, value: Any)], _ purpose: ValueEncoder.Purpose
  ) throws -> Value? {
    func open<Part>(_ part: Part) throws -> Value? { try encode(part, for: purpose) }
    var fields: [String: Value] = [:]
    for (index, part) in parts.enumerated() {
      guard let field = try _openExistential(part.value, do: open) else { return nil }
      fields[part.label ?? "_\(index)"] = field
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
    if TupleMetadata(T.self) != nil {
      return try parts(of: T.self, from: value).flatMap { TupleMetadata.tuple(T.self, of: $0) }
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
    return try parts(of: payload, from: form).flatMap {
      metadata.value(T.self, tag: tag, parts: $0)
    }
  }

  /// The values of a payload, one by one; `nil` where one has no structural form.
  private static func parts(of payload: Any.Type, from form: Value) throws -> [Any]? {
    var parts: [Any] = []
    for (index, element) in TupleMetadata.elements(of: payload).enumerated() {
      let name = element.label ?? "_\(index)"
      guard let field = TupleMetadata(payload) == nil ? form : form[name] else {
        throw mismatch("the field '\(name)' is missing")
      }
      func open<Part>(_ type: Part.Type) throws -> Any? { try decode(type, from: field) }
      guard let part = try _openExistential(element.type, do: open) else { return nil }
      parts.append(part)
    }
    return parts
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
