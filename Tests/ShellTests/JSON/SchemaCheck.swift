@_spi(Host) import AppCore
import Foundation

@testable import Support

/// Checks values against a JSON Schema, as far as `schema/shell-1.json` uses it.
///
/// A keyword that is not known is a fault, so that nothing in the schema goes unchecked.
struct SchemaCheck {
  private let root: Value

  init(file: String) throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: file)
    root = try JSONReader.value(Data(contentsOf: url))
  }

  /// What is wrong with the value; empty where nothing is.
  func faults(of value: Value, at definition: String? = nil) -> [String] {
    let schema = definition.flatMap { root["$defs"]?[$0] } ?? root
    return faults(value, schema, "$")
  }

  private static let annotations: Set<String> = [
    "$schema", "$id", "$defs", "title", "description",
  ]

  private func faults(_ value: Value, _ schema: Value, _ place: String) -> [String] {
    guard case .object(let keywords) = schema else { return ["\(place): no schema"] }
    return keywords.filter { !Self.annotations.contains($0.key) }.sorted { $0.key < $1.key }
      .flatMap { faults(value, $0.key, $0.value, keywords, place) }
  }

  private func faults(
    _ value: Value, _ keyword: String, _ argument: Value, _ schema: [String: Value],
    _ place: String
  ) -> [String] {
    switch (keyword, argument) {
    case ("$ref", .string(let path)):
      let name = String(path.dropFirst("#/$defs/".count))
      guard let target = root["$defs"]?[name] else { return ["\(place): \(path) is nowhere"] }
      return faults(value, target, place)
    case ("const", _): return value == argument ? [] : ["\(place): is not \(argument.json)"]
    case ("enum", .array(let values)):
      return values.contains(value) ? [] : ["\(place): is none of \(argument.json)"]
    case ("type", .string(let name)):
      return isType(value, name) ? [] : ["\(place): is no \(name)"]
    case ("type", .array(let names)):
      let isAny = names.contains { name in
        if case .string(let name) = name { isType(value, name) } else { false }
      }
      return isAny ? [] : ["\(place): is none of \(argument.json)"]
    case ("minimum", .int(let least)):
      guard case .int(let number) = value else { return [] }
      return number >= least ? [] : ["\(place): is less than \(least)"]
    case ("maxItems", .int(let most)):
      guard case .array(let elements) = value else { return [] }
      return elements.count <= most ? [] : ["\(place): has more than \(most)"]
    case ("items", _):
      guard case .array(let elements) = value else { return [] }
      return elements.enumerated().flatMap { index, element in
        faults(element, argument, "\(place)[\(index)]")
      }
    case ("required", .array(let names)):
      guard case .object(let fields) = value else { return [] }
      return names.compactMap { name in
        guard case .string(let name) = name, fields[name] == nil else { return nil }
        return "\(place): '\(name)' is missing"
      }
    case ("properties", .object(let properties)):
      guard case .object(let fields) = value else { return [] }
      return fields.sorted { $0.key < $1.key }.flatMap { name, field in
        properties[name].map { faults(field, $0, "\(place).\(name)") } ?? []
      }
    case ("additionalProperties", .bool(false)):
      guard case .object(let fields) = value, case .object(let known)? = schema["properties"]
      else { return [] }
      return fields.keys.filter { known[$0] == nil }.sorted().map { "\(place): '\($0)' is unknown" }
    case ("oneOf", .array(let options)):
      let count = options.count { faults(value, $0, place).isEmpty }
      return count == 1 ? [] : ["\(place): fits \(count) of \(options.count) forms: \(value.json)"]
    default: return ["the keyword '\(keyword)' is not known to this check"]
    }
  }

  private func isType(_ value: Value, _ name: String) -> Bool {
    switch (value, name) {
    case (.null, "null"), (.bool, "boolean"), (.int, "integer"), (.int, "number"),
      (.double, "number"), (.string, "string"), (.array, "array"), (.object, "object"):
      true
    default: false
    }
  }
}
