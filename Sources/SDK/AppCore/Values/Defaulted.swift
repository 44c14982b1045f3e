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
}
