package import AppCore

extension Schema {
  /// Why `value` does not have this shape, in words; `nil` if it does.
  ///
  /// A value of a type that is not known without decoding fits. Unknown fields are left to the
  /// decoder, as for features.
  package func misfit(of value: Value) -> String? { misfit(of: value, at: []) }

  private func misfit(of value: Value, at path: [String]) -> String? {
    switch (self, value) {
    case (.any, _), (.opaque, _), (.recursive, _): return nil
    case (.bool, .bool), (.int, .int), (.double, .double), (.double, .int), (.string, .string),
      (.secret, .string), (.optional, .null):
      return nil
    case (.optional(let wrapped), _): return wrapped.misfit(of: value, at: path)
    case (.array(let element), .array(let values)):
      for (index, value) in values.enumerated() {
        if let misfit = element.misfit(of: value, at: path + ["\(index)"]) { return misfit }
      }
      return nil
    case (.dictionary(let element), .object(let values)):
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        if let misfit = element.misfit(of: value, at: path + [name]) { return misfit }
      }
      return nil
    case (.object(let fields), .object(let values)):
      for field in fields {
        let value = values[field.name] ?? .null
        if value == .null {
          if field.isRequired { return "\(Self.quoted(path + [field.name])) is missing" }
        } else if let misfit = field.schema.misfit(of: value, at: path + [field.name]) {
          return misfit
        }
      }
      return nil
    case (.choice(let names), .string(let name)) where names.contains(name): return nil
    case (.variant(let cases), .object(let values)):
      guard values.count == 1, let (name, payload) = values.first,
        let entry = cases.first(where: { $0.name == name })
      else { break }
      return (entry.payload ?? .object([])).misfit(of: payload, at: path + [name])
    default: break
    }
    return "\(Self.quoted(path)) should be \(self), and is \(value.kind)"
  }

  private static func quoted(_ path: [String]) -> String {
    path.isEmpty ? "it" : "'" + path.joined(separator: ".") + "'"
  }

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

  /// The arguments of an instance: the given ones, and defaults for the others.
  ///
  /// - Throws: why they do not have this shape.
  package func completing(_ arguments: Value) throws(MockFailure) -> Value {
    var complete = arguments
    if case .object(let fields) = self {
      complete = .object(
        Dictionary(
          fields.map { field in
            let given = arguments[field.name] ?? .null
            return (field.name, given == .null ? field.defaultValue ?? .null : given)
          }, uniquingKeysWith: { first, _ in first }))
    }
    if let misfit = misfit(of: complete) { throw MockFailure(description: misfit) }
    return complete
  }
}

package struct MockFailure: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}
