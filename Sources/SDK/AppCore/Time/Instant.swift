/// A moment in time: seconds and nanoseconds since the beginning of 1970, in UTC.
///
/// Its description is in ISO 8601 format, `2026-03-01T08:30:00Z`. It is encoded in the same way, so
/// that it passes between features as a string. Leap seconds are not counted, as in POSIX.
@frozen
public struct Instant: Hashable, Sendable {
  /// The time since the beginning of 1970.
  public let sinceEpoch: Duration

  /// A moment.
  ///
  /// - Parameter sinceEpoch: the time since the beginning of 1970; negative before it. Fractions of
  ///   a nanosecond are dropped.
  public init(sinceEpoch: Duration) {
    let (seconds, attoseconds) = sinceEpoch.components
    let nanoseconds = attoseconds / 1_000_000_000
    self.sinceEpoch = .seconds(seconds) + .nanoseconds(nanoseconds)
  }

  /// A moment, in whole seconds since the beginning of 1970.
  public init(secondsSinceEpoch seconds: Int) { self.init(sinceEpoch: .seconds(seconds)) }

  /// The moment `duration` after this one.
  public func advanced(by duration: Duration) -> Instant {
    Instant(sinceEpoch: sinceEpoch + duration)
  }

  /// The time from this moment to `other`.
  public func duration(to other: Instant) -> Duration { other.sinceEpoch - sinceEpoch }
}

extension Instant: InstantProtocol {
  public static func < (left: Instant, right: Instant) -> Bool {
    left.sinceEpoch < right.sinceEpoch
  }
}

extension Instant: Codable {
  /// Decodes the ISO 8601 form.
  ///
  /// - Throws: `DecodingError` if the string is not a moment.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let instant = Instant(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "'\(text)' is not a moment; write it as in '2026-03-01T08:30:00Z'")
    }
    self = instant
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
