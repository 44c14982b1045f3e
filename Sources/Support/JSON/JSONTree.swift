@_spi(Host) internal import AppCore

/// JSON whose fields keep their order: for people who read it, and for texts that are compared.
package indirect enum JSONTree: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case string(String)
  case array([JSONTree])
  case object([(name: String, value: JSONTree)])
  /// A text that is JSON already, on one line.
  case raw(String)

  /// The JSON, indented by two spaces and with a line break at its end; a value that fits on one
  /// line is on one.
  package var text: String {
    var text = ""
    write(to: &text, indent: 0)
    return text + "\n"
  }

  /// The JSON on one line, without spaces.
  ///
  /// It is recursive, so it is not for trees whose depth a plugin decides.
  package var line: String {
    var text = ""
    _ = append(to: &text, space: "", limit: .max)
    return text
  }

  /// `string` as a JSON string, escaped as the SDK escapes those of values: so the JSON is as safe to
  /// show on a terminal as a screen is.
  package static func quote(_ string: String) -> String { AppCore.Value.string(string).json }

  /// A number, without a decimal point if it is whole; `null` if it is infinite or NaN.
  package static func double(_ value: Double) -> JSONTree {
    value.isFinite ? .raw(Int(exactly: value).map(String.init) ?? String(value)) : .null
  }

  /// The object with more fields at its end; anything else stays as it is.
  package func adding(_ fields: [(name: String, value: JSONTree)]) -> JSONTree {
    if case .object(let own) = self { .object(own + fields) } else { self }
  }

  private static let lineLength = 100

  private func write(to text: inout String, indent: Int) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .string(let value): text += Self.quote(value)
    case .raw(let json): text += json
    case .array(let elements):
      writeMembers(elements.map { (nil, $0) }, "[", "]", to: &text, indent: indent)
    case .object(let fields):
      writeMembers(fields.map { ($0.name, $0.value) }, "{", "}", to: &text, indent: indent)
    }
  }

  private func writeMembers(
    _ members: [(name: String?, value: JSONTree)], _ opening: String, _ closing: String,
    to text: inout String, indent: Int
  ) {
    var line = ""
    if append(to: &line, space: " ", limit: Self.lineLength - indent) {
      text += line
      return
    }
    text += opening
    let margin = "\n" + String(repeating: " ", count: indent + 2)
    for (index, member) in members.enumerated() {
      text += index == 0 ? margin : "," + margin
      if let name = member.name { text += Self.quote(name) + ": " }
      member.value.write(to: &text, indent: indent + 2)
    }
    text += "\n" + String(repeating: " ", count: indent) + closing
  }

  /// Appends the JSON on one line, with `space` between its parts; stops and returns `false` once the
  /// text is longer than `limit`.
  ///
  /// - Complexity: O(*n* + *m*), where *n* is `limit` and *m* the length of the longest string.
  private func append(to text: inout String, space: String, limit: Int) -> Bool {
    switch self {
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," + space }
        guard element.append(to: &text, space: space, limit: limit) else { return false }
      }
      text += "]"
    case .object(let fields):
      let margin = fields.isEmpty ? "" : space
      text += "{" + margin
      for (index, field) in fields.enumerated() {
        if index > 0 { text += "," + space }
        text += Self.quote(field.name) + ":" + space
        guard field.value.append(to: &text, space: space, limit: limit) else { return false }
      }
      text += margin + "}"
    default: write(to: &text, indent: 0)
    }
    return text.utf8.count <= limit
  }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .int(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONTree)...) {
    self = .object(elements.map { (name: $0, value: $1) })
  }

  package init(_ string: String?) { self = string.map { .string($0) } ?? .null }

  package init(_ strings: some Sequence<String>) { self = .array(strings.map { .string($0) }) }

  package init(_ numbers: some Sequence<Int>) { self = .array(numbers.map { .int($0) }) }
}
