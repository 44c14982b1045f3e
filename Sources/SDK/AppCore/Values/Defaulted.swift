/// Arguments or a configuration whose fields may be left out of a manifest.
///
/// Synthesized decoding requires every field, whatever the property's initial value. For a
/// conforming type, the values of `init()` fill in what the manifest leaves out:
///
/// ```swift
/// struct Configuration: Codable, Sendable, Defaulted { var interval = 5 }
/// ```
public protocol Defaulted: Encodable {
  /// The value with every field at its default.
  init()
}

extension Schema {
  /// The schema of arguments or of a configuration, with the defaults that ``Defaulted`` gives.
  static func ofArguments<T: Decodable>(_ type: T.Type) -> Schema {
    let schema = SchemaProbe.schema(of: type, decodable: type)
    // A schema is shown and written to files, so the default of a secret is redacted.
    guard case .object(let fields) = schema, !fields.isEmpty,
      let defaults = defaults(of: type, redactsSecrets: true)
    else { return schema }
    return .object(
      fields.map {
        Field(name: $0.name, schema: $0.schema, defaultValue: defaults[$0.name])
      })
  }

  /// The defaults that ``Defaulted`` gives for `type`, as the fields of an object; `nil` for none.
  static func defaults(
    of type: Any.Type, redactsSecrets: Bool = false
  ) -> [String: Value]? {
    guard let defaulted = type as? any Defaulted.Type,
      let value = try? ValueEncoder(redactsSecrets: redactsSecrets).encode(defaulted.init()),
      case .object(let fields) = value
    else { return nil }
    return fields
  }

  /// The names of the fields of `type` that have a default other than `nil`.
  static func defaultedNames(of type: Any.Type) -> [String] {
    guard !EnumMetadata.isEnum(type) else { return [] }
    return defaults(of: type)?.filter { $0.value != .null }.map(\.key) ?? []
  }

  /// The defaults for what `fields`, an encoded value of `type`, lack; `nil` for none.
  ///
  /// An enum's encoding has one field, the name of its case: with that it lacks nothing.
  static func defaults(of type: Any.Type, missingIn fields: [String: Value]) -> [String: Value]? {
    fields.isEmpty || !EnumMetadata.isEnum(type) ? defaults(of: type) : nil
  }
}

// Saved and carried values. In the structural form an optional that is `nil` is absent, and so is a
// field that is newer than the form; only the latter gets its default.
extension Value {
  /// An encoded value, with null for absent fields among `names`: those that have a default.
  func addingNulls(for names: [String]) -> Value {
    guard case .object(var fields) = self else { return self }
    for name in names where fields[name] == nil { fields[name] = .null }
    return .object(fields)
  }

  /// Whether an encoded value of the struct `type` has all of its fields.
  func isWhole(_ type: Any.Type) -> Bool {
    guard case .object(let fields) = self, let count = StructMetadata.propertyCount(type) else {
      return false
    }
    return fields.count >= count
  }

  /// An encoded value of `type`, with the defaults of fields that are absent.
  func addingDefaults(of type: Any.Type) -> Value {
    guard case .object(let fields) = self,
      let defaults = Schema.defaults(of: type, missingIn: fields)
    else { return self }
    return .object(defaults.merging(fields) { $1 })
  }

  /// An encoded value of an earlier `type`, with defaults for null fields that can't be `nil` now.
  fileprivate func replacingNulls(of type: any Decodable.Type) -> Value {
    guard case .object(var fields) = self, fields.values.contains(.null),
      let defaults = Schema.defaults(of: type),
      case .object(let known) = SchemaProbe.schema(of: type, decodable: type)
    else { return self }
    for field in known where field.isRequired && fields[field.name] == .null {
      fields[field.name] = defaults[field.name]
    }
    return .object(fields)
  }
}

extension ValueDecoder {
  /// Decodes a value of a type that may be ``Defaulted``, and may have been optional before.
  func decodeDefaulted<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
    do {
      return try decode(type, from: value)
    } catch {
      let replaced = value.replacingNulls(of: type)
      guard replaced != value else { throw error }
      return try decode(type, from: replaced)
    }
  }
}
