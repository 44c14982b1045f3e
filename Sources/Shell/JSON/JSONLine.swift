@_spi(Host) internal import AppCore
internal import Support

/// A line of input that is a JSON object.
///
/// | object | like |
/// | --- | --- |
/// | `{"press": 3, "value": "x", "screen": 12}` | `3 x`, the number as of screen 12 |
/// | `{"id": "filter", "value": "x"}` | `@filter "x"` |
/// | `{"label": "Filter", "value": "x"}` | `"Filter" = "x"` |
/// | `{"line": ":back"}` | the line `:back` |
///
/// The value is a string, a number, `true` or `false`. A string is taken literally: it is not
/// decoded as JSON again, nor read as `<<END`.
struct JSONLine: Hashable {
  enum Target: Hashable {
    case number(Int)
    case identifier(String)
    case label(String)
    case line(String)
  }

  let target: Target
  let value: LineValue?
  /// The number of the screen that the line refers to; `nil` for the last one.
  let screen: Int?

  init(_ text: String) throws(Rejection) {
    let object: Value
    do {
      object = try JSONReader.value(text.utf8)
    } catch {
      throw .badJSON(error.reason, offset: error.offset)
    }
    guard case .object(let fields) = object else { throw .badJSON("an object is due") }
    let known = ["press", "id", "label", "line", "value", "screen"]
    if let name = fields.keys.sorted().first(where: { !known.contains($0) }) {
      throw .badJSON(
        "there is no field \(JSONTree.quote(name)); there are \(known.joined(separator: ", "))")
    }
    let targets = known.prefix(4).filter { fields[$0] != nil }
    guard targets.count == 1, let name = targets.first, let field = fields[name] else {
      throw .badJSON("exactly one of press, id, label and line is due")
    }
    target = try Self.target(name, field)
    value = try Self.value(fields["value"])
    screen = try Self.screen(fields["screen"])
    if case .line = target, value != nil { throw .badJSON("a line has its value in it") }
  }

  private static func target(_ name: String, _ field: Value) throws(Rejection) -> Target {
    switch (name, field) {
    case ("press", .int(let number)): return .number(number)
    case ("press", _): throw .badJSON("press takes a whole number, not \(field.kind)")
    case (_, .string(let text)):
      let text = try text.withoutNUL()
      switch name {
      case "id": return .identifier(text)
      case "label": return .label(text)
      default:
        if text.contains(where: \.isNewline) { throw .badJSON("a line has no newline in it") }
        return .line(text)
      }
    default: throw .badJSON("\(name) takes a string, not \(field.kind)")
    }
  }

  private static func value(_ value: Value?) throws(Rejection) -> LineValue? {
    switch value {
    case nil, .null: return nil
    case .string(let text): return .text(try text.withoutNUL())
    case .int(let number): return .number(Double(number))
    case .double(let number): return .number(number)
    case .bool(let isTrue): return .bool(isTrue)
    case .array, .object: throw .badJSON("value takes a string, a number, true or false")
    }
  }

  private static func screen(_ value: Value?) throws(Rejection) -> Int? {
    switch value {
    case nil, .null: return nil
    case .int(let number): return number
    default: throw .badJSON("screen takes a whole number")
    }
  }
}
