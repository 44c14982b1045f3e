/// A universally unique identifier: 128 bits, written as `f81d4fae-7dec-41d0-a765-00a0c91e6bf6`.
///
/// It is encoded as the string that RFC 9562 defines, as Foundation's `UUID` is, but in lower case.
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
    func digits(_ word: UInt64) -> String {
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    var text = digits(high) + digits(low)
    for place in [20, 16, 12, 8] {
      text.insert("-", at: text.index(text.startIndex, offsetBy: place))
    }
    return text
  }

  /// Parses the canonical form, in either case; `nil` if `text` is not an identifier.
  public init?(_ text: String) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    let digits = groups.joined()
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], digits.allSatisfy(\.isHexDigit),
      let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}

extension UniqueID: Codable {
  /// Decodes the canonical form.
  public init(from decoder: any Decoder) throws {
    self = try decoder.lossless {
      "'\($0)' is not a unique id, as in 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6'"
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Generates unique ids: `uuid()`.
public struct UniqueIDGenerator: Sendable {
  private let generate: @Sendable () -> UniqueID

  /// Creates a generator that calls `generate` each time.
  public init(_ generate: @escaping @Sendable () -> UniqueID) { self.generate = generate }

  /// A generator that always returns `id`.
  public static func constant(_ id: UniqueID) -> Self { Self { id } }

  /// A generator that counts from 0: `00000000-0000-0000-0000-000000000000` and so on.
  public static var incrementing: Self {
    let last = Guarded(-1)
    return Self {
      UniqueID(
        last.change {
          $0 += 1; return $0
        })
    }
  }

  /// A new identifier.
  public func callAsFunction() -> UniqueID {
    DependencyTape.current?.read(DependencyTape.uuids, generate) ?? generate()
  }

  /// A generator of random identifiers.
  static let system = UniqueIDGenerator {
    var generator = SystemRandomNumberGenerator()
    return UniqueID.random(using: &generator)
  }
}

extension DependencyValues {
  /// Generates unique ids: `uuid()`; in a test, as in `$0.uuid = .incrementing`.
  public var uuid: UniqueIDGenerator {
    get { self[UniqueIDGeneratorKey.self] }
    set { self[UniqueIDGeneratorKey.self] = newValue }
  }
}

private enum UniqueIDGeneratorKey: DependencyKey {
  static var liveValue: UniqueIDGenerator { .system }
}
