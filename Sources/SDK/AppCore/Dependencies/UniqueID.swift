/// A universally unique identifier: 128 bits, written as `f81d4fae-7dec-41d0-a765-00a0c91e6bf6`.
///
/// With it, features that use ids don't need Foundation. It is encoded as the string that RFC 9562
/// defines, as Foundation's `UUID` is, but in lower case.
@frozen
public struct UniqueID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates the identifier with a number, for comparisons in tests.
  ///
  /// `UniqueID(3)` is `00000000-0000-0000-0000-000000000003`.
  public init(_ number: Int) { self.init(high: 0, low: UInt64(bitPattern: Int64(number))) }

  /// Returns a random identifier (version 4).
  public static func random(using generator: inout some RandomNumberGenerator) -> UniqueID {
    UniqueID(
      high: generator.next() & ~0xf000 | 0x4000,
      low: generator.next() & ~(0b11 << 62) | 0b10 << 62)
  }
}

extension UniqueID: LosslessStringConvertible {
  /// The canonical form, in lower case.
  public var description: String {
    var text = ""
    for index in 0..<16 {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      let word = index < 8 ? high : low
      let byte = UInt8(truncatingIfNeeded: word >> (56 - UInt64(index % 8) * 8))
      text += byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
    }
    return text
  }

  /// Parses the canonical form, in either case; `nil` if `text` is not an identifier.
  public init?(_ text: String) {
    var words: [UInt64] = [0, 0]
    var digits = 0
    for (index, byte) in text.utf8.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard digits < 32, byte < 128, let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { return nil }
      words[digits / 16] = words[digits / 16] << 4 | UInt64(digit)
      digits += 1
    }
    guard digits == 32 else { return nil }
    self.init(high: words[0], low: words[1])
  }
}

extension UniqueID: Codable {
  /// Decodes the canonical form.
  ///
  /// - Throws: `DecodingError` if the string is not an identifier.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = UniqueID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription:
          "'\(text)' is not a unique id, as in 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6'")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
