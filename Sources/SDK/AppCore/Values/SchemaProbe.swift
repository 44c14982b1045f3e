/// Finds the ``Schema`` of a type by a dry run of its `init(from:)`.
///
/// The type requests its fields from a recording decoder, which answers with made-up values of the
/// right types. So `CodingKeys`, optionals and hand-written decoding are honoured, and the schema
/// can't disagree with what decoding requests.
///
/// Conformances are looked up only as a last resort: for a type that it has not seen, the runtime
/// scans all conformances of all images, so a process that probes many plugins would take time
/// quadratic in their number.
struct SchemaProbe {
  /// The shape of a type, and a value of the type if one could be made.
  struct Result {
    var schema: Schema
    var value: Any?
  }

  private static var depthLimit: Int { 64 }
  /// How many types may still be described, here and in the decoders that copy this probe: where
  /// each type uses the next one twice, they double with each level.
  private let budget = Budget()
  /// The types that are being described, the outermost first.
  private var open: [ObjectIdentifier] = []

  /// The schema of `type`; `decodable` is the same type if it is known to be decodable.
  static func schema(
    of type: Any.Type, decodable: (any Decodable.Type)? = nil
  ) -> Schema {
    var probe = SchemaProbe()
    return probe.describe(type, decodable: decodable).schema
  }

  /// The cases of an enum as features exchange them; empty if `type` is not an enum.
  static func cases(of type: Any.Type) -> [CaseSchema] {
    var probe = SchemaProbe()
    return enumMetadata(type).map { probe.cases(of: $0) } ?? []
  }

  /// A type's unqualified name; `String(describing:)` would look up conformances of the metatype.
  static func name(of type: Any.Type) -> String { _typeName(type, qualified: false) }

  /// Describes `type`; `decodable` is the same type if it is known to be decodable.
  mutating func describe(
    _ type: Any.Type, decodable: (any Decodable.Type)? = nil
  ) -> Result {
    if let known = scalar(type) { return known }
    guard !open.contains(ObjectIdentifier(type)) else {
      return Result(schema: .recursive(Self.name(of: type)))
    }
    // A generic type that contains itself with other arguments would recurse without end.
    guard open.count < Self.depthLimit, budget.left > 0 else { return opaque(type) }
    budget.left -= 1
    open.append(ObjectIdentifier(type))
    defer { open.removeLast() }
    if let container = Self.container(type) { return container.describe(with: &self) }
    if let metadata = EnumMetadata(type) { return describe(type, metadata) }
    guard let decodable = decodable ?? type as? any Decodable.Type else {
      return integer(type) ?? opaque(type)
    }
    let result = describe(decodable: decodable)
    // A type with named fields, or with no fields at all, is not an integer.
    if case .object = result.schema { return result }
    return integer(type) ?? result
  }

  private final class Budget {
    var left = 10_000
  }

  private func opaque(_ type: Any.Type) -> Result {
    Result(schema: .opaque(Self.name(of: type)))
  }
}

// Scalars and types with fields.
extension SchemaProbe {
  private func scalar(_ type: Any.Type) -> Result? {
    switch type {
    case is Bool.Type: Result(schema: .bool, value: false)
    case is String.Type: Result(schema: .string, value: "")
    case is Double.Type: Result(schema: .double, value: 0.0)
    case is Float.Type: Result(schema: .double, value: Float(0))
    case is Value.Type: Result(schema: .any, value: Value.null)
    case is Int.Type, is Int8.Type, is Int16.Type, is Int32.Type, is Int64.Type, is Int128.Type,
      is UInt.Type, is UInt8.Type, is UInt16.Type, is UInt32.Type, is UInt64.Type,
      is UInt128.Type:
      integer(type)
    default: nil
    }
  }

  private func integer(_ type: Any.Type) -> Result? {
    func zero<I: FixedWidthInteger>(_ type: I.Type) -> Any { I.zero }
    return (type as? any FixedWidthInteger.Type).map { Result(schema: .int, value: zero($0)) }
  }

  private func describe(decodable type: any Decodable.Type) -> Result {
    let decoder = RecordingDecoder(self)
    let value = try? type.init(from: decoder)
    switch (decoder.shape, value) {
    case (.object(let fields), .some): return Result(schema: .object(fields), value: value)
    case (.object(let fields), nil) where decoder.finished && isWhole(fields, type):
      return Result(schema: .object(fields))
    case (.single(let schema), .some): return Result(schema: schema, value: value)
    case (.array(let element), .some): return Result(schema: .array(element), value: value)
    case (nil, .some): return Result(schema: .object([]), value: value)
    default: return opaque(type)
    }
  }

  /// Whether a type that rejected the made-up values had requested all its fields before that.
  private func isWhole(_ fields: [Schema.Field], _ type: Any.Type) -> Bool {
    StructMetadata.propertyCount(type).map { fields.count >= $0 } ?? false
  }
}

// Enums.
extension SchemaProbe {
  /// The metadata of an enum; `nil` if `type` is not an enum, or is a ``DescribedContainer``.
  private static func enumMetadata(_ type: Any.Type) -> EnumMetadata? {
    container(type) == nil ? EnumMetadata(type) : nil
  }

  private mutating func cases(of metadata: EnumMetadata) -> [CaseSchema] {
    metadata.cases.map { entry in
      CaseSchema(name: entry.name, payload: entry.payload.map { payload(of: $0) })
    }
  }

  private mutating func payload(of type: Any.Type) -> Schema {
    guard let tuple = TupleMetadata(type) else { return describe(type).schema }
    return .object(
      tuple.elements.enumerated().map { index, element in
        let name = element.label ?? "_\(index)"
        return Schema.Field(name: name, schema: describe(element.type).schema)
      })
  }

  private mutating func describe(_ type: Any.Type, _ metadata: EnumMetadata) -> Result {
    func bareValues<T>(_ type: T.Type) -> [Any?] {
      metadata.cases.indices.map { metadata.bareValue(type, tag: $0) }
    }
    let cases = cases(of: metadata)
    let values = _openExistential(type, do: bareValues)
    let value = values.lazy.compactMap(\.self).first
    guard cases.allSatisfy({ $0.payload == nil }) else {
      return Result(schema: .variant(cases), value: value)
    }
    // Only encoding a case shows whether it is encoded as a raw value or as its name.
    let coded = zip(cases, values).map { entry, value in
      (value as? any Encodable).flatMap { try? ValueEncoder().encode($0) } ?? .string(entry.name)
    }
    return Result(schema: Self.schema(coded: coded) ?? opaque(type).schema, value: value)
  }

  /// The shape of cases that are all encoded as strings, integers or numbers; `nil` for others.
  private static func schema(coded values: [Value]) -> Schema? {
    let names = values.compactMap { if case .string(let name) = $0 { name } else { nil } }
    if names.count == values.count { return .choice(names) }
    if values.allSatisfy({ if case .int = $0 { true } else { false } }) { return .int }
    if values.allSatisfy({ if case .double = $0 { true } else { false } }) { return .double }
    return nil
  }
}

/// A container, which is described by the schemas of its elements.
private protocol DescribedContainer {
  static func describe(with probe: inout SchemaProbe) -> SchemaProbe.Result
}

extension SchemaProbe {
  /// `type` as one of the containers below, recognized by the descriptor of its generic type.
  private static func container(_ type: Any.Type) -> (any DescribedContainer.Type)? {
    let isContainer =
      StructMetadata.identity(type).map(containers.contains) ?? EnumMetadata.isOptional(type)
    return isContainer ? type as? any DescribedContainer.Type : nil
  }

  /// The containers that are structs.
  private static let containers: [UInt] =
    [[Int].self, Set<Int>.self, [Int: Int].self, Secret<Int>.self].compactMap(
      StructMetadata.identity)
}

extension Optional: DescribedContainer {
  static func describe(with probe: inout SchemaProbe) -> SchemaProbe.Result {
    .init(schema: .optional(probe.describe(Wrapped.self).schema), value: Wrapped?.none as Any)
  }
}

extension Array: DescribedContainer {
  static func describe(with probe: inout SchemaProbe) -> SchemaProbe.Result {
    .init(schema: .array(probe.describe(Element.self).schema), value: [Element]())
  }
}

extension Set: DescribedContainer {
  static func describe(with probe: inout SchemaProbe) -> SchemaProbe.Result {
    .init(schema: .array(probe.describe(Element.self).schema), value: Set<Element>())
  }
}

extension Dictionary: DescribedContainer {
  static func describe(with probe: inout SchemaProbe) -> SchemaProbe.Result {
    let element = probe.describe(Value.self).schema
    // With other keys, a dictionary is encoded as a list of alternating keys and values.
    let isKeyed = Key.self is any CodingKeyRepresentable.Type
    let schema: Schema = isKeyed ? .dictionary(element) : .array(.any)
    return .init(schema: schema, value: [Key: Value]())
  }
}

extension Secret: DescribedContainer {
  static func describe(with probe: inout SchemaProbe) -> SchemaProbe.Result {
    let wrapped = probe.describe(Wrapped.self)
    let schema: Schema = wrapped.schema == .string ? .secret : wrapped.schema
    return .init(schema: schema, value: (wrapped.value as? Wrapped).map { Secret($0) })
  }
}
