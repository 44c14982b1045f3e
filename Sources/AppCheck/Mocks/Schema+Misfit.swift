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
}
