public import AppCore

/// A YAML scalar, kept as text until the expected type is known.
///
/// YAML 1.2's core schema says what a plain scalar looks like; the expected type decides what it
/// *is*: `1.10` is text for a string field and a number for a double.
public struct Scalar: Hashable, Sendable {
  /// The text, with `$$` unescaped.
  public let text: String
  /// How it is written.
  public let style: Style

  /// Where the scalar was written, and whether it can be anything but a string.
  public enum Style: Hashable, Sendable {
    /// In the manifest, without quotes.
    case plain
    /// In the manifest, in quotes or as a block.
    case quoted
    /// Outside the manifest, where there are no quotes: text for a string field, else like `plain`.
    case given
  }

  /// Whether it can be anything but a string.
  public var isPlain: Bool { style != .quoted }

  /// Creates a scalar that is written in the manifest.
  public init(text: String, isPlain: Bool) {
    self.init(text: text, style: isPlain ? .plain : .quoted)
  }

  public init(text: String, style: Style) {
    self.text = text
    self.style = style
  }

  /// The value by the core schema, if no type is expected.
  public var resolved: Value { isPlain ? CoreSchema.resolve(text) : .string(text) }

  /// Whether it is `null`, `~` or empty, without quotes.
  public var isNull: Bool { isPlain && CoreSchema.isNull(text) }

  /// The value as a string; `nil` for a plain null of the manifest.
  public var string: String? { isNull && style == .plain ? nil : text }

  /// Whether it is `nil` for a field of type `String?`.
  ///
  /// An empty text from outside the manifest is not `nil` but an empty string.
  public var isNoString: Bool { isNull && (style == .plain || !text.isEmpty) }

  /// The value as a bool; `nil` for anything but a plain `true` or `false`.
  public var bool: Bool? {
    if case .bool(let value) = resolved { value } else { nil }
  }

  /// The value as an integer; `nil` if it is not one or does not fit in `Int`.
  public var int: Int? {
    if case .int(let value) = resolved { value } else { nil }
  }

  /// Whether it is written as a whole number, even one that does not fit in `Int`.
  public var isWholeNumber: Bool {
    var digits = text.utf8[...]
    for (prefix, radix) in [("0x", 16), ("0o", 8)] where digits.starts(with: prefix.utf8) {
      digits = digits.dropFirst(prefix.utf8.count)
      return !digits.isEmpty
        && digits.allSatisfy {
          Character(Unicode.Scalar($0)).hexDigitValue.map { $0 < radix } ?? false
        }
    }
    if let sign = digits.first, sign == 0x2B || sign == 0x2D { digits = digits.dropFirst() }
    return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The value as a double, from a real number or an integer; `nil` if it is neither.
  public var double: Double? {
    switch resolved {
    case .double(let value): value
    case .int(let value): Double(value)
    default: nil
    }
  }

  /// The meaning of a plain scalar that is one of YAML 1.1's other words for `true` and `false`.
  package var oldBoolean: Bool? { isPlain ? CoreSchema.oldBoolean(text) : nil }
}
