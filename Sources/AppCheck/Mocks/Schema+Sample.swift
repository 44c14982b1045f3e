package import AppCore

extension Schema {
  /// An initial value of this shape; a string is `name`.
  package func sample(_ name: String) -> Value {
    switch self {
    case .bool: false
    case .int: 1
    case .double: 1.5
    // The type is not known; a name is as good a guess as any, and better than null.
    case .string, .secret, .any, .opaque, .recursive: .string(name)
    case .optional: .null
    case .array: []
    case .dictionary: [:]
    case .object(let fields):
      .object(
        Dictionary(
          fields.map { ($0.name, $0.defaultValue ?? $0.schema.sample($0.name)) },
          uniquingKeysWith: { first, _ in first }))
    case .choice(let names): .string(names.first ?? name)
    case .variant(let cases):
      cases.first.map { .object([$0.name: ($0.payload ?? .object([])).sample($0.name)]) } ?? .null
    @unknown default: .string(name)
    }
  }

  /// `value` without secrets, and without parts that may contain some.
  func redacted(_ value: Value) -> Value {
    switch (self, value) {
    case (_, .null): .null
    case (.secret, _): .string("<secret>")
    case (.opaque, _), (.recursive, _): .string("…")
    case (.optional(let wrapped), _): wrapped.redacted(value)
    case (.array(let element), .array(let values)): .array(values.map(element.redacted))
    case (.dictionary(let element), .object(let values)):
      .object(values.mapValues(element.redacted))
    case (.object(let fields), .object(let values)):
      .object(
        Dictionary(
          fields.compactMap { field in
            values[field.name].map { (field.name, field.schema.redacted($0)) }
          }, uniquingKeysWith: { first, _ in first }))
    case (.variant(let cases), .object(let values)):
      .object(
        Dictionary(
          cases.compactMap { entry in
            values[entry.name].map { (entry.name, (entry.payload ?? .object([])).redacted($0)) }
          }, uniquingKeysWith: { first, _ in first }))
    default: value
    }
  }
}
