internal import AppCore

// Values in addresses.
extension Schema {
  /// Parses a value of this shape; `nil` if the text does not fit.
  ///
  /// Lists and objects have no text, since they don't fit in one segment.
  func value(ofText text: String) -> Value? {
    switch self {
    case .string, .secret, .any, .opaque, .recursive: .string(text)
    case .int: Int(text).map { .int($0) }
    case .double: Self.number(text).map { .double($0) }
    case .bool: text == "true" ? true : text == "false" ? false : nil
    case .choice(let names): names.contains(text) ? .string(text) : nil
    case .optional(let wrapped): wrapped.value(ofText: text)
    case .array, .dictionary, .object, .variant: nil
    @unknown default: .string(text)
    }
  }

  /// A number in decimal digits; `nil` for the others that Swift reads, such as `nan` and `0x1p3`.
  private static func number(_ text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Parses a value of this shape in a position; `nil` if the text does not fit.
  func value(ofPart text: String, json: (String) -> Value?) -> Value? {
    switch self {
    case .optional(let wrapped): return wrapped.value(ofPart: text, json: json)
    case .array:
      guard case .array(let elements)? = json(text) else { return nil }
      return .array(elements)
    case .dictionary, .object:
      guard case .object(let fields)? = json(text) else { return nil }
      return .object(fields)
    case .any, .opaque, .recursive, .variant: return json(text) ?? .string(text)
    case .bool, .int, .double, .string, .secret, .choice: return value(ofText: text)
    @unknown default: return json(text) ?? .string(text)
    }
  }

  /// The text of a value of this shape in a position, before percent-encoding.
  func part(of value: Value) -> String {
    switch (self, value) {
    case (.optional(let wrapped), _): wrapped.part(of: value)
    case (.string, .string(let text)), (.choice, .string(let text)): text
    case (.double, .double(let number)): String(number)
    default: value.json
    }
  }

  /// Whether a value of this shape may contain a secret; also `true` if that can't be known.
  package var mayHoldSecret: Bool {
    switch self {
    case .secret, .opaque: true
    case .optional(let inner), .array(let inner), .dictionary(let inner): inner.mayHoldSecret
    case .object(let fields): fields.contains { $0.schema.mayHoldSecret }
    case .variant(let cases): cases.contains { $0.payload?.mayHoldSecret ?? false }
    // A recursive shape refers to an enclosing one, whose fields are checked there.
    case .bool, .int, .double, .string, .any, .choice, .recursive: false
    @unknown default: true
    }
  }

  /// The shape with an article, for a message: `a string`, `an integer`.
  package var phrase: String {
    switch self {
    case .bool: "true or false"
    case .int: "an integer"
    case .double: "a number"
    case .string: "a string"
    case .secret: "a secret"
    case .any: "any value"
    case .optional(let wrapped): "\(wrapped.phrase) or nothing"
    case .array(let element): "a list of \(element)"
    case .dictionary: "an object"
    case .object: "an object \(self)"
    case .choice, .variant: "\(self)"
    case .recursive(let name), .opaque(let name): "a '\(name)'"
    @unknown default: "\(self)"
    }
  }
}
