@_spi(Host) package import AppCore
public import Navigation
internal import Support

// All that is kept or sent is JSON: images line by line in frames, recordings line by line.

extension Value {
  /// The maximum nesting of a state that is kept, since values are written and read recursively.
  package static let stateDepthLimit = 1000
  /// The maximum nesting of a line: that of a state, plus the levels around it.
  static let lineDepthLimit = 1010

  /// Whether the nesting of the value is less deep than `limit`.
  package func isShallower(than limit: Int = stateDepthLimit) -> Bool {
    guard limit > 0 else { return false }
    return switch self {
    case .array(let values): values.allSatisfy { $0.isShallower(than: limit - 1) }
    case .object(let fields): fields.values.allSatisfy { $0.isShallower(than: limit - 1) }
    default: true
    }
  }

  /// The name of the only field of an object that stands for a number which JSON lacks.
  private static let numberField = "$number"

  /// The value as JSON can hold it, with an object in place of an infinite number and of NaN.
  var stored: Value { isPlain ? self : marked }

  init(stored: Value) { self = stored.isPlain ? stored : stored.unmarked }

  /// Whether a file would have both values in the same words.
  ///
  /// `==` asks another question: a letter with an accent equals the letter and the accent after it, 0
  /// equals -0, and a number that is none does not even equal itself.
  func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.double(let old), .double(let new)):
      return old.bitPattern == new.bitPattern || old.isNaN && new.isNaN
    case (.string(var old), .string(var new)):
      return old.withUTF8 { old in new.withUTF8 { new in old.elementsEqual(new) } }
    case (.array(let old), .array(let new)):
      return old.count == new.count && zip(old, new).allSatisfy { $0.isSame(as: $1) }
    case (.object(let old), .object(let new)):
      return old.count == new.count
        && old.allSatisfy { name, value in new[name].map { value.isSame(as: $0) } ?? false }
    default: return self == other
    }
  }

  /// Whether there is nothing to replace, as in nearly all values.
  private var isPlain: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .array(let values): values.allSatisfy(\.isPlain)
    case .object(let fields):
      fields.values.allSatisfy(\.isPlain) && (fields.count != 1 || fields[Self.numberField] == nil)
    default: true
    }
  }

  private var marked: Value {
    switch self {
    case .double(let number) where !number.isFinite: [Self.numberField: .string("\(number)")]
    case .array(let values): .array(values.map(\.marked))
    case .object(let fields):
      // An object that happens to look like a number is put into another one.
      fields.count == 1 && fields[Self.numberField] != nil
        ? [Self.numberField: .object(fields.mapValues(\.marked))]
        : .object(fields.mapValues(\.marked))
    default: self
    }
  }

  private var unmarked: Value {
    switch self {
    case .array(let values): .array(values.map(\.unmarked))
    case .object(let fields):
      switch fields.count == 1 ? fields[Self.numberField] : nil {
      case .string(let text)?: Double(text).map { .double($0) } ?? self
      case .object(let inner)?: .object(inner.mapValues(\.unmarked))
      default: .object(fields.mapValues(\.unmarked))
      }
    default: self
    }
  }

  /// The form of a type that has a synthesized one.
  package init(coding content: some Encodable) {
    self = (try? ValueEncoder().encode(content)) ?? .null
  }

  /// The content of which ``init(coding:)`` was made; `nil` if this is something else.
  package func decoded<Content: Decodable>(_ type: Content.Type = Content.self) -> Content? {
    try? ValueDecoder().decode(type, from: self)
  }

  var instance: InstanceID? { text.flatMap { InstanceID(text: $0) } }

  var instances: [InstanceID]? { list(\.instance) }

  /// The elements of a list; `nil` if this is not a list, or if one of them can't be read.
  func list<Element>(_ read: (Value) -> Element?) -> [Element]? {
    guard case .array(let values) = self else { return nil }
    let elements = values.compactMap(read)
    return elements.count == values.count ? elements : nil
  }
}

extension InstanceID {
  /// The form in images and recordings, as in `12.1`.
  var value: Value { .string(description) }
}

extension SlotID: Comparable, Codable {
  public static func < (left: SlotID, right: SlotID) -> Bool { left.number < right.number }

  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }

  public init(from decoder: any Decoder) throws {
    guard let id = SlotID(text: try String(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "it is not an instance"))
    }
    self = id
  }
}
