package import AppCore

// What a value of one kind holds.
extension Value {
  /// The text of a string; `nil` for any other value.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// An integer or a floating-point number; `nil` for any other value.
  package var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The elements of a list; none for any other value.
  package var elements: [Value] { if case .array(let all) = self { all } else { [] } }
}
