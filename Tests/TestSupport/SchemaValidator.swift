package import AppCore
internal import Foundation

/// A validator of values against a JSON Schema.
///
/// It supports the keywords that the project's schemas use. An unsupported keyword is reported as a
/// problem, so that no part of a schema is skipped.
package struct SchemaValidator {
  /// The whole schema, to which references refer.
  package let root: Value

  package init(_ json: String) throws {
    root = try JSONDecoder().decode(Value.self, from: Data(json.utf8))
  }

  /// The reasons why a value does not match the schema; empty if it matches.
  ///
  /// If `definition` is given, the value is validated against that entry of `$defs` instead.
  package func problems(of value: Value, definition: String? = nil) -> [String] {
    problems(of: value, definition.map { root["$defs"]?[$0] ?? .null } ?? root, at: "")
  }

  /// Keywords that do not affect validation.
  private static let annotations: Set<String> = [
    "$schema", "$id", "$defs", "title", "description", "default",
  ]

  private func problems(of value: Value, _ schema: Value, at path: String) -> [String] {
    if schema == .bool(true) { return [] }
    guard case .object(let keywords) = schema else { return ["\(path): nothing may stand here"] }
    return keywords.sorted { $0.key < $1.key }.flatMap { keyword, rule -> [String] in
      if Self.annotations.contains(keyword) { return [] }
      return problems(of: value, keyword, rule, in: keywords, at: path)
    }
  }

  private func problems(
    of value: Value, _ keyword: String, _ rule: Value, in schema: [String: Value], at path: String
  ) -> [String] {
    func expect(_ holds: Bool) -> [String] { holds ? [] : ["\(path): \(keyword)"] }
    switch keyword {
    case "$ref": return problems(of: value, definition(rule), at: path)
    case "type": return expect(list(rule).contains { Self.isType(value, $0) })
    case "const": return expect(Self.equal(value, rule))
    case "enum": return expect(list(rule).contains { Self.equal(value, $0) })
    case "pattern":
      guard case .string(let text) = value, case .string(let pattern) = rule else { return [] }
      return expect(text.range(of: pattern, options: .regularExpression) != nil)
    case "minLength":
      guard case .string(let text) = value, case .int(let least) = rule else { return [] }
      return expect(text.unicodeScalars.count >= least)
    case "minimum":
      guard case .int(let least) = rule else { return [] }
      switch value {
      case .int(let number): return expect(number >= least)
      case .double(let number): return expect(number >= Double(least))
      default: return []
      }
    case "minItems":
      guard case .array(let items) = value, case .int(let least) = rule else { return [] }
      return expect(items.count >= least)
    case "maxItems":
      guard case .array(let items) = value, case .int(let most) = rule else { return [] }
      return expect(items.count <= most)
    case "uniqueItems":
      guard case .array(let items) = value else { return [] }
      return expect(Set(items).count == items.count)
    case "items":
      guard case .array(let items) = value else { return [] }
      return items.enumerated().flatMap { problems(of: $1, rule, at: "\(path)/\($0)") }
    case "allOf": return list(rule).flatMap { problems(of: value, $0, at: path) }
    case "anyOf": return expect(list(rule).contains { problems(of: value, $0, at: path).isEmpty })
    case "oneOf":
      return expect(list(rule).count { problems(of: value, $0, at: path).isEmpty } == 1)
    case "not": return expect(!problems(of: value, rule, at: path).isEmpty)
    case "if":
      guard problems(of: value, rule, at: path).isEmpty, let then = schema["then"] else {
        return []
      }
      return problems(of: value, then, at: path)
    case "then": return []
    default: return objectProblems(of: value, keyword, rule, in: schema, at: path)
    }
  }

  private func objectProblems(
    of value: Value, _ keyword: String, _ rule: Value, in schema: [String: Value], at path: String
  ) -> [String] {
    let isKnown = [
      "required", "properties", "patternProperties", "additionalProperties", "propertyNames",
      "dependentRequired",
    ].contains(keyword)
    guard isKnown else { return ["\(path): the keyword '\(keyword)' is not understood"] }
    guard case .object(let fields) = value else { return [] }
    switch keyword {
    case "required":
      return list(rule).compactMap { name in
        guard case .string(let name) = name, fields[name] == nil else { return nil }
        return "\(path): '\(name)' is required"
      }
    case "properties":
      return members(rule).flatMap { name, schema in
        fields[name].map { problems(of: $0, schema, at: "\(path)/\(name)") } ?? []
      }
    case "patternProperties":
      return members(rule).flatMap { pattern, schema in
        fields.filter { $0.key.range(of: pattern, options: .regularExpression) != nil }
          .flatMap { problems(of: $0.value, schema, at: "\(path)/\($0.key)") }
      }
    case "additionalProperties":
      let patterns = members(schema["patternProperties"] ?? .null).map(\.0)
      let named = Set(members(schema["properties"] ?? .null).map(\.0))
      return fields.filter { field in
        !named.contains(field.key)
          && !patterns.contains { field.key.range(of: $0, options: .regularExpression) != nil }
      }.flatMap { problems(of: $0.value, rule, at: "\(path)/\($0.key)") }
    case "propertyNames":
      return fields.keys.flatMap { problems(of: .string($0), rule, at: "\(path)/\($0)") }
    default:
      return members(rule).flatMap { name, needed in
        fields[name] == nil
          ? [] : problems(of: value, .object(["required": needed]), at: path)
      }
    }
  }

  private func list(_ value: Value) -> [Value] {
    if case .array(let elements) = value { elements } else { [value] }
  }

  private func members(_ value: Value) -> [(String, Value)] {
    guard case .object(let fields) = value else { return [] }
    return fields.map { ($0, $1) }
  }

  /// The definition that `#/$defs/name` refers to.
  private func definition(_ reference: Value) -> Value {
    guard case .string(let text) = reference, text.hasPrefix("#/$defs/"),
      let found = root["$defs"]?[String(text.dropFirst(8))]
    else { return .null }
    return found
  }

  private static func isType(_ value: Value, _ type: Value) -> Bool {
    guard case .string(let type) = type else { return false }
    switch value {
    case .null: return type == "null"
    case .bool: return type == "boolean"
    case .int: return type == "integer" || type == "number"
    case .double(let number):
      return type == "number" || type == "integer" && number == number.rounded()
    case .string: return type == "string"
    case .array: return type == "array"
    case .object: return type == "object"
    }
  }

  private static func equal(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.int(let int), .double(let double)), (.double(let double), .int(let int)):
      Double(int) == double
    default: left == right
    }
  }
}
