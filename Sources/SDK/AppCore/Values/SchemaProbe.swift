/// Finds out the ``Schema`` of a type by a dry run of its `init(from:)`.
///
/// The type asks a recording decoder for its fields; each gets a made-up value of the right type. So
/// `CodingKeys`, optionals and hand-written decoding are honoured, and the schema can't disagree
/// with what decoding asks for.
package enum SchemaProbe {
  /// The schema of `type`.
  package static func schema(of type: Any.Type) -> Schema {
    var probe = Probing()
    return probe.describe(type).schema
  }

  /// The same of a type that is known to be decodable.
  static func schema<T: Decodable>(ofDecodable type: T.Type) -> Schema {
    var probe = Probing()
    return probe.describe(type, decodable: type).schema
  }

  /// The cases of an enum as features exchange them; empty where `type` is no enum.
  package static func cases(of type: Any.Type) -> [CaseSchema] {
    var probe = Probing()
    return probe.cases(of: type) ?? []
  }
}

/// What is known of a type: its shape, and a value of it where one could be made.
struct Probed {
  var schema: Schema
  var value: Any?
}

/// One dry run, with the types it is inside of.
///
/// What a type conforms to is asked only where nothing else tells: of a type that it has not seen, the
/// runtime answers by walking through all conformances of all images, so a process that asks many
/// plugins what they are would take time quadratic in their number.
struct Probing {
  private static var depthLimit: Int { 64 }
  private var open: [ObjectIdentifier] = []

  // The second is the type again, where it is known to be decodable.
  mutating func describe(
    _ type: Any.Type, decodable: (any Decodable.Type)? = nil
  ) -> Probed {
    if let known = scalar(type) { return known }
    guard !open.contains(ObjectIdentifier(type)) else {
      return Probed(schema: .recursive(Self.name(of: type)), value: nil)
    }
    // A generic type that holds itself with other arguments never comes round.
    guard open.count < Self.depthLimit else {
      return Probed(schema: .opaque(Self.name(of: type)), value: nil)
    }
    open.append(ObjectIdentifier(type))
    defer { open.removeLast() }
    if let container = Self.container(type) { return container.probe(&self) }
    if let cases = cases(of: type) { return describe(enumeration: type, cases: cases) }
    guard let decodable = decodable ?? type as? any Decodable.Type else {
      return integer(type) ?? Probed(schema: .opaque(Self.name(of: type)), value: nil)
    }
    let probed = describe(decodable: decodable)
    // What has named fields is no number, and neither is what has none at all.
    if case .object = probed.schema { return probed }
    return integer(type) ?? probed
  }

  /// An integer that is not the standard library's.
  private func integer(_ type: Any.Type) -> Probed? {
    guard let integer = type as? any FixedWidthInteger.Type else { return nil }
    return Probed(schema: .int, value: zero(integer))
  }

  /// A type's name, as `String(describing:)` has it, which asks what the type's type conforms to.
  static func name(of type: Any.Type) -> String { _typeName(type, qualified: false) }

  /// A type that holds others, by what it is made from.
  private static func container(_ type: Any.Type) -> (any ProbedContainer.Type)? {
    let isContainer =
      StructMetadata.descriptor(type).map(containers.contains) ?? EnumMetadata.isOptional(type)
    return isContainer ? type as? any ProbedContainer.Type : nil
  }

  /// What the containers that are structs are made from.
  nonisolated(unsafe) private static let containers: [UnsafeRawPointer] =
    [[Int].self, Set<Int>.self, [Int: Int].self, Secret<Int>.self].compactMap(
      StructMetadata.descriptor)

  private func scalar(_ type: Any.Type) -> Probed? {
    switch type {
    case is Bool.Type: Probed(schema: .bool, value: false)
    case is String.Type: Probed(schema: .string, value: "")
    case is Int.Type: Probed(schema: .int, value: 0)
    case is Double.Type: Probed(schema: .double, value: 0.0)
    case is Float.Type: Probed(schema: .double, value: Float(0))
    case is Value.Type: Probed(schema: .any, value: Value.null)
    case is Int8.Type: integer(Int8.self)
    case is Int16.Type: integer(Int16.self)
    case is Int32.Type: integer(Int32.self)
    case is Int64.Type: integer(Int64.self)
    case is UInt.Type: integer(UInt.self)
    case is UInt8.Type: integer(UInt8.self)
    case is UInt16.Type: integer(UInt16.self)
    case is UInt32.Type: integer(UInt32.self)
    case is UInt64.Type: integer(UInt64.self)
    case is Int128.Type: integer(Int128.self)
    case is UInt128.Type: integer(UInt128.self)
    default: nil
    }
  }

  private func zero<I: FixedWidthInteger>(_ type: I.Type) -> Any { I.zero }

  private mutating func describe(decodable type: any Decodable.Type) -> Probed {
    let recording = Recording(probing: self)
    let value = try? type.init(from: RecordingDecoder(recording: recording))
    switch (recording.shape, value) {
    case (.object(let fields), .some): return Probed(schema: .object(fields), value: value)
    case (.object(let fields), nil) where recording.finished && isWhole(fields, type):
      return Probed(schema: .object(fields), value: nil)
    case (.single(let schema), .some): return Probed(schema: schema, value: value)
    case (.array(let element), .some): return Probed(schema: .array(element), value: value)
    case (nil, .some): return Probed(schema: .object([]), value: value)
    default: return Probed(schema: .opaque(Self.name(of: type)), value: nil)
    }
  }

  /// Whether a type that refused the made-up values has asked for all its fields before.
  private func isWhole(_ fields: [Schema.Field], _ type: Any.Type) -> Bool {
    StructMetadata.propertyCount(type).map { fields.count >= $0 } ?? false
  }

  /// The cases of the enum `type`; `nil` where it is none, or codes itself as a raw value.
  mutating func cases(of type: Any.Type) -> [CaseSchema]? {
    guard Self.container(type) == nil, let metadata = EnumMetadata(type) else { return nil }
    return metadata.cases.map { entry in
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

  private mutating func describe(enumeration type: Any.Type, cases: [CaseSchema]) -> Probed {
    let value = anyCase(of: type)
    guard cases.allSatisfy({ $0.payload == nil }) else {
      return Probed(schema: .variant(cases), value: value)
    }
    // What a case is in structural form is the encoder's word: a raw value, or its name.
    let coded = cases.indices.map { tag -> Value in
      guard let encodable = bareValue(tag, of: type) as? any Encodable,
        let encoded = try? ValueEncoder().encode(encodable)
      else { return .string(cases[tag].name) }
      return encoded
    }
    let names = coded.compactMap { if case .string(let name) = $0 { name } else { nil } }
    if names.count == coded.count { return Probed(schema: .choice(names), value: value) }
    return Probed(schema: Self.common(coded) ?? .opaque(Self.name(of: type)), value: value)
  }

  /// The shape of raw values that are no strings.
  private static func common(_ values: [Value]) -> Schema? {
    let isInt = values.allSatisfy { if case .int = $0 { true } else { false } }
    if isInt { return .int }
    let isDouble = values.allSatisfy { if case .double = $0 { true } else { false } }
    return isDouble ? .double : nil
  }

  /// A value of the enum: its first case without a payload.
  private func anyCase(of type: Any.Type) -> Any? {
    guard let metadata = EnumMetadata(type),
      let tag = metadata.cases.firstIndex(where: { $0.payload == nil })
    else { return nil }
    return bareValue(tag, of: type)
  }

  private func bareValue(_ tag: Int, of type: Any.Type) -> Any? {
    func make<T>(_ type: T.Type) -> Any? { EnumMetadata(type)?.bareValue(type, tag: tag) }
    return _openExistential(type, do: make)
  }
}

/// A type of the standard library that holds others, with what is known of it.
protocol ProbedContainer {
  static func probe(_ probing: inout Probing) -> Probed
}

extension Optional: ProbedContainer {
  static func probe(_ probing: inout Probing) -> Probed {
    Probed(schema: .optional(probing.describe(Wrapped.self).schema), value: Wrapped?.none as Any)
  }
}

extension Array: ProbedContainer {
  static func probe(_ probing: inout Probing) -> Probed {
    Probed(schema: .array(probing.describe(Element.self).schema), value: [Element]())
  }
}

extension Set: ProbedContainer {
  static func probe(_ probing: inout Probing) -> Probed {
    Probed(schema: .array(probing.describe(Element.self).schema), value: Set<Element>())
  }
}

extension Dictionary: ProbedContainer {
  static func probe(_ probing: inout Probing) -> Probed {
    let element = probing.describe(Value.self).schema
    // Other keys are coded as a list that alternates between keys and values.
    let isKeyed = Key.self is any CodingKeyRepresentable.Type
    let schema: Schema = isKeyed ? .dictionary(element) : .array(.any)
    return Probed(schema: schema, value: [Key: Value]())
  }
}

extension Secret: ProbedContainer {
  static func probe(_ probing: inout Probing) -> Probed {
    let wrapped = probing.describe(Wrapped.self)
    let schema: Schema = wrapped.schema == .string ? .secret : wrapped.schema
    return Probed(schema: schema, value: (wrapped.value as? Wrapped).map { Secret($0) })
  }
}
