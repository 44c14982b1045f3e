/// Decodes UTF-8 that arrives one byte at a time.
///
/// Invalid input gives one result for each maximal part that could have begun a scalar, as Unicode
/// recommends (chapter 3, "substitution of maximal subparts").
struct UTF8Assembler: Sendable {
  enum Result: Hashable {
    case scalar(Unicode.Scalar)
    case invalid
  }

  private var value: UInt32 = 0
  private var missing = 0
  /// The valid values of the next byte: fewer after some first bytes.
  private var allowed: ClosedRange<UInt8> = 0x80...0xbf

  /// Decodes a byte, which completes nothing, one result, or an invalid part and one more result.
  mutating func feed(_ byte: UInt8) -> [Result] {
    guard missing > 0 else { return begin(byte) }
    guard allowed.contains(byte) else {
      missing = 0
      return [.invalid] + begin(byte)
    }
    value = value << 6 | UInt32(byte & 0x3f)
    missing -= 1
    allowed = 0x80...0xbf
    guard missing == 0 else { return [] }
    return [Unicode.Scalar(value).map { .scalar($0) } ?? .invalid]
  }

  /// Whether a scalar has begun but is not complete.
  var isIncomplete: Bool { missing > 0 }

  private mutating func begin(_ byte: UInt8) -> [Result] {
    allowed = 0x80...0xbf
    switch byte {
    case 0..<0x80: return [.scalar(Unicode.Scalar(byte))]
    case 0xc2...0xdf: (value, missing) = (UInt32(byte & 0x1f), 1)
    case 0xe0...0xef:
      (value, missing) = (UInt32(byte & 0x0f), 2)
      if byte == 0xe0 { allowed = 0xa0...0xbf }
      if byte == 0xed { allowed = 0x80...0x9f }
    case 0xf0...0xf4:
      (value, missing) = (UInt32(byte & 0x07), 3)
      if byte == 0xf0 { allowed = 0x90...0xbf }
      if byte == 0xf4 { allowed = 0x80...0x8f }
    default: return [.invalid]
    }
    return []
  }
}
