/// A moment in time: seconds and nanoseconds since the beginning of 1970, in UTC.
///
/// Its description is in ISO 8601 format, `2026-03-01T08:30:00Z`. It is encoded in the same way, so
/// that it passes between features as a string. Leap seconds are not counted, as in POSIX.
///
/// It and ``UniqueID``, ``AppTimeZone`` and ``AppLocale`` are types of the SDK's own because it is
/// built with library evolution: a public import of a module that is not, as Foundation's
/// essentials, is a warning that can't be confined.
@frozen
public struct Instant: Hashable, Sendable {
  /// The time since the beginning of 1970.
  public let sinceEpoch: Duration

  /// Creates a moment from the time since the beginning of 1970, which is negative before it;
  /// fractions of a nanosecond are dropped.
  public init(sinceEpoch: Duration) {
    let attoseconds = sinceEpoch.attoseconds
    self.sinceEpoch = Duration(attoseconds: attoseconds - attoseconds % 1_000_000_000)
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

extension Instant: LosslessStringConvertible {
  /// The moment in UTC, in ISO 8601 format: `2026-03-01T08:30:00Z`, with a fraction if there is
  /// one, and with a sign or more than four digits where the year needs them.
  public var description: String {
    let nanoseconds = sinceEpoch.attoseconds / 1_000_000_000
    let (seconds, nanosecond) = nanoseconds.dividedRoundingDown(by: 1_000_000_000)
    let (days, second) = seconds.dividedRoundingDown(by: 86_400)
    let (year, month, day) = GregorianCalendar.date(daysSinceEpoch: days)
    let date = [year.magnitude.padded(to: 4), month.padded(to: 2), day.padded(to: 2)]
    let time = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }
    var fraction = nanosecond.padded(to: 9)
    while fraction.last == "0" { fraction.removeLast() }
    return (year < 0 ? "-" : "") + date.joined(separator: "-") + "T"
      + time.joined(separator: ":") + (fraction.isEmpty ? "" : ".\(fraction)") + "Z"
  }

  /// Parses a moment, as in `2026-03-01T08:30:00Z`, with a fraction of at most nine digits and `Z`
  /// or an offset from UTC such as `+02:00`; `nil` if `text` is not one.
  public init?(_ text: String) {
    let isSigned =
      text.utf8.first.map { [UInt8(ascii: "+"), UInt8(ascii: "-")].contains($0) } ?? false
    let digits = text.dropFirst(isSigned ? 1 : 0).prefix { ("0"..."9").contains($0) }
    guard (4...13).contains(digits.utf8.count), var year = Int128(digits) else { return nil }
    if text.hasPrefix("-") { year.negate() }
    // Without the sign and the leading digits of the year, which then has four.
    let bytes = Array(text.utf8.dropFirst(digits.utf8.count + (isSigned ? 1 : 0) - 4))
    func number(_ start: Int, _ count: Int = 2, below limit: Int = .max) -> Int? {
      guard start + count <= bytes.count else { return nil }
      let digits = bytes[start..<start + count]
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      return number < limit ? number : nil
    }
    func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
      bytes.indices.contains(index) && bytes[index] == UInt8(ascii: character)
    }
    guard has("-", at: 4), let month = number(5), has("-", at: 7),
      let day = number(8), has("T", at: 10) || has("t", at: 10), let hour = number(11, below: 24),
      has(":", at: 13), let minute = number(14, below: 60), has(":", at: 16),
      let second = number(17, below: 60)
    else { return nil }
    let days = GregorianCalendar.daysSinceEpoch(year: year, month: month, day: day)
    // A day that its month does not have would be one of the next month.
    let date = GregorianCalendar.date(daysSinceEpoch: days)
    guard date.month == month, date.day == day else { return nil }
    var (zone, nanoseconds) = (19, 0)
    if has(".", at: zone) {
      let count = bytes[(zone + 1)...].prefix { (0x30...0x39).contains($0) }.count
      guard (1...9).contains(count), var fraction = number(zone + 1, count) else { return nil }
      for _ in count..<9 { fraction *= 10 }
      (zone, nanoseconds) = (zone + 1 + count, fraction)
    }
    var offset = 0
    if has("Z", at: zone) || has("z", at: zone) {
      guard bytes.count == zone + 1 else { return nil }
    } else {
      guard has("+", at: zone) || has("-", at: zone), bytes.count == zone + 6,
        let hours = number(zone + 1, below: 24), has(":", at: zone + 3),
        let minutes = number(zone + 4, below: 60)
      else { return nil }
      offset = (hours * 3600 + minutes * 60) * (has("-", at: zone) ? -1 : 1)
    }
    let seconds = days * 86_400 + Int128(hour * 3600 + minute * 60 + second - offset)
    let (attoseconds, overflows) = (seconds * 1_000_000_000 + Int128(nanoseconds))
      .multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows else { return nil }
    self.init(sinceEpoch: Duration(attoseconds: attoseconds))
  }
}

extension Instant: Codable {
  /// Decodes the ISO 8601 form.
  public init(from decoder: any Decoder) throws {
    self = try decoder.lossless { "'\($0)' is not a moment; write it as in '2026-03-01T08:30:00Z'" }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Decoder {
  /// Decodes what is encoded as its description.
  func lossless<Value: LosslessStringConvertible>(_ problem: (String) -> String) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Value(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: problem(text))
    }
    return value
  }
}

extension BinaryInteger {
  /// The decimal digits, with zeros before them up to a width.
  func padded(to width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
