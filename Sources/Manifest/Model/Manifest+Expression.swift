public import AppCore
public import Support

extension Manifest {
  /// A value under `with`: a literal, a reference, or text with references in it.
  ///
  /// Every part has its source range, so that a problem can point at one field.
  public struct Expression: Hashable, Sendable {
    public let kind: Kind
    /// Its place in the file.
    public let range: SourceRange

    /// Creates an expression at a place in a file.
    public init(_ kind: Kind, at range: SourceRange) {
      self.kind = kind
      self.range = range
    }
  }
}

extension Manifest.Expression {
  public enum Kind: Hashable, Sendable {
    /// A literal; the expected type decides how it is read.
    case scalar(Scalar)
    case array([Manifest.Expression])
    /// A map; keys are unique.
    case object([Field])
    /// A single reference, whose value keeps its type.
    case reference(Reference)
    /// Text with references inserted; the result is a string.
    case interpolation([Part])
    /// An invalid value, which is already reported; it matches every type.
    case invalid
  }

  /// A key and its value in a map.
  public struct Field: Hashable, Sendable {
    public let name: Located<String>
    public let value: Manifest.Expression
  }

  /// A piece of interpolated text.
  public enum Part: Hashable, Sendable {
    /// Literal text, with `$$` unescaped.
    case text(String)
    /// A value to insert: a string, integer, double or bool; its place is that of `{$…}`.
    case insertion(Reference, SourceRange)
  }

  /// The meaning of a `$…`.
  public enum Reference: Hashable, Sendable {
    /// `$` or `$.a.b`: the payload, or a field of it. A link's payload is its parameters.
    case payload([Located<String>])
    /// `$vars.name`.
    case variable(String)
    /// `$dir`: the absolute path of the folder of the file it is in.
    case directory(String)
    /// `$data`: the absolute path of the folder for the app's own files.
    case data(String)
  }

  /// All references in the expression, in order, each with the place of its scalar or insertion.
  public var references: [Located<Reference>] {
    switch kind {
    case .scalar, .invalid: []
    case .reference(let reference): [Located(reference, at: range)]
    case .array(let elements): elements.flatMap(\.references)
    case .object(let fields): fields.flatMap(\.value.references)
    case .interpolation(let parts): parts.compactMap(\.reference)
    }
  }

  /// The fields of the payload that the expression refers to or into, in order.
  package var payloadFields: [Located<String>] {
    references.compactMap { if case .payload(let path) = $0.value { path.first } else { nil } }
  }

  /// The number of values in its lists and maps, at every level; 0 for any other value.
  var elementCount: Int {
    switch kind {
    case .array(let elements): elements.reduce(elements.count) { $0 + $1.elementCount }
    case .object(let fields): fields.reduce(fields.count) { $0 + $1.value.elementCount }
    case .scalar, .reference, .interpolation, .invalid: 0
    }
  }
}

extension Manifest.Expression.Reference {
  /// The reference as it is written: `$.a.b`, `$vars.x`, `$dir`, `$data`.
  public var text: String {
    switch self {
    case .payload(let fields): "$" + fields.map { ".\($0.value)" }.joined()
    case .variable(let name): "$vars.\(name)"
    case .directory: "$dir"
    case .data: "$data"
    }
  }
}

extension Manifest.Expression {
  /// Whether two expressions are equal apart from their places; an invalid one equals every other.
  package func isEqual(to other: Self) -> Bool {
    switch (kind, other.kind) {
    case (.scalar(let left), .scalar(let right)): return left.resolved == right.resolved
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
    case (.object(let left), .object(let right)):
      let others = Dictionary(
        right.map { ($0.name.value, $0.value) }, uniquingKeysWith: { first, _ in first })
      return left.count == right.count
        && left.allSatisfy { field in
          others[field.name.value].map { field.value.isEqual(to: $0) } ?? false
        }
    case (.reference(let left), .reference(let right)): return left.text == right.text
    case (.interpolation(let left), .interpolation(let right)):
      return left.map(\.text) == right.map(\.text)
    case (.invalid, _), (_, .invalid): return true
    default: return false
    }
  }
}

extension Manifest.Expression.Part {
  fileprivate var reference: Located<Manifest.Expression.Reference>? {
    guard case .insertion(let reference, let range) = self else { return nil }
    return Located(reference, at: range)
  }

  /// The part as it is written.
  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .insertion(let reference, _): "{\(reference.text)}"
    }
  }
}

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
