internal import Support

/// One literal value of YAML, kept as its text until a type is known.
///
/// YAML 1.2's core schema says what a plain scalar looks like; what it *is* follows from the type
/// it must have: `1.10` is text for a string field and a number for a double.
public struct Scalar: Hashable, Sendable {
  /// The text, with `$$` undone.
  public let text: String

  /// How it is written.
  public let style: Style

  /// Who wrote it, and whether it can be other than a string.
  public enum Style: Hashable, Sendable {
    /// In the manifest, without quotes.
    case plain
    /// In the manifest, in quotes or as a block.
    case quoted
    /// Outside the manifest, where there are no quotes: a text where that is due, else as if plain.
    case given
  }

  /// Whether it may be other than a string.
  public var isPlain: Bool { style != .quoted }

  /// Makes a scalar of its text in the manifest.
  public init(text: String, isPlain: Bool) {
    self.init(text: text, style: isPlain ? .plain : .quoted)
  }

  /// Makes a scalar of its text.
  public init(text: String, style: Style) {
    self.text = text
    self.style = style
  }

  /// What the core schema reads it as.
  public var resolved: Resolved { isPlain ? CoreSchema.resolve(text) : .string(text) }

  /// Whether it is `null`, `~` or nothing at all, without quotes.
  public var isNull: Bool { isPlain && CoreSchema.isNull(text) }

  /// The text, as a string field takes it; nil for null.
  public var string: String? { isNull && style == .plain ? nil : text }

  /// Whether it leaves a field of an optional string empty; a text that is given and has nothing in
  /// it is one all the same.
  public var isNoString: Bool { isNull && (style == .plain || !text.isEmpty) }

  /// The value as a bool; nil for anything but a plain `true` or `false`.
  public var bool: Bool? {
    if case .bool(let value) = resolved { value } else { nil }
  }

  /// The value as an integer; nil if it is none or does not fit.
  public var int: Int? {
    if case .int(let value) = resolved { value } else { nil }
  }

  /// Whether it is written as a whole number, of however many digits.
  public var isWholeNumber: Bool {
    var digits = text.utf8[...]
    for prefix in ["0x", "0o"] where digits.starts(with: prefix.utf8) {
      digits = digits.dropFirst(prefix.utf8.count)
      return !digits.isEmpty
        && digits.allSatisfy {
          UInt8(ascii: "0") <= $0 && Unicode.Scalar($0).properties.isASCIIHexDigit
        }
    }
    if let sign = digits.first, sign == 0x2B || sign == 0x2D { digits = digits.dropFirst() }
    return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The value as a double; an integer will do.
  public var double: Double? {
    switch resolved {
    case .double(let value): value
    case .int(let value): Double(value)
    case .null, .bool, .string: nil
    }
  }

  /// Whether a plain scalar is one of YAML 1.1's other words for `true` and `false`.
  public var isYesOrNo: Bool { isPlain && CoreSchema.oldBoolean(text) != nil }
}

extension Scalar {
  /// The values of the core schema; each has its twin in a structural value.
  public enum Resolved: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
  }
}
