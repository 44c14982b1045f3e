/// A day of the calendar, without a time or a zone: `2026-03-01`.
///
/// The calendar is the Gregorian one, also before it was introduced, from the year 1 to the year 9999.
/// A date is described, encoded and typed in ISO 8601 format.
///
/// ```swift
/// let due = CalendarDate(year: 2026, month: 2, day: 28)?.advanced(by: 1)  // 2026-03-01
/// ```
@frozen
public struct CalendarDate: Hashable, Sendable {
  public let year: Int
  /// From 1 to 12.
  public let month: Int
  /// From 1 to 31.
  public let day: Int

  /// Creates a date; `nil` if there is no such day, or its year is not one of 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard let last = Self.days(in: month, of: year), (1...last).contains(day) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The number of days of a month; `nil` if there is no such month.
  public static func days(in month: Int, of year: Int) -> Int? {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeapYear ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The date some days later, or earlier if the number is negative; `nil` beyond the years 1 to 9999.
  public func advanced(by days: Int) -> CalendarDate? {
    let (sum, overflows) = daysSinceEpoch.addingReportingOverflow(days)
    return overflows ? nil : CalendarDate(daysSinceEpoch: sum)
  }

  /// The number of days from this date to another one, negative if that is earlier.
  public func days(to other: CalendarDate) -> Int { other.daysSinceEpoch - daysSinceEpoch }

  /// The days since the beginning of 1970.
  private var daysSinceEpoch: Int {
    Int(GregorianCalendar.daysSinceEpoch(year: Int128(year), month: month, day: day))
  }

  /// From 0001-01-01 to 9999-12-31.
  private static let range = -719_162...2_932_896

  private init?(daysSinceEpoch days: Int) {
    guard Self.range.contains(days) else { return nil }
    self.init(clamping: days)
  }

  /// Creates the date some days after the beginning of 1970, or the first or last one there is.
  init(clamping days: Int) {
    let days = min(max(days, Self.range.lowerBound), Self.range.upperBound)
    let date = GregorianCalendar.date(daysSinceEpoch: Int128(days))
    (year, month, day) = (Int(date.year), date.month, date.day)
  }
}

extension CalendarDate: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension CalendarDate: LosslessStringConvertible, DumpedAsText {
  /// The date in ISO 8601 format: `2026-03-01`.
  public var description: String {
    "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }

  /// Parses a date, as in `2026-03-01`; `nil` if `text` is not one.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
      return nil
    }
    func number(_ places: Range<Int>) -> Int? {
      bytes[places].reduce(0) { number, byte in
        (0x30...0x39).contains(byte) ? number.map { $0 * 10 + Int(byte - 0x30) } : nil
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }
}

extension CalendarDate: Codable {
  /// Decodes the ISO 8601 form.
  public init(from decoder: any Decoder) throws {
    self = try decoder.lossless { "'\($0)' is not a date; write it as in '2026-03-01'" }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension AppTimeZone {
  /// The day of a moment in the zone, as in `timeZone.date(of: date.now)`.
  ///
  /// Before the year 1 it is the first day of that year, and after 9999 the last one.
  public func date(of instant: Instant) -> CalendarDate {
    let (seconds, fraction) = instant.sinceEpoch.components
    // Some years more than there are dates of.
    let whole = Int(min(max(seconds, -70_000_000_000), 260_000_000_000)) - (fraction < 0 ? 1 : 0)
    let local = whole &+ secondsFromUTC(at: instant)
    return CalendarDate(clamping: local / 86_400 - (local % 86_400 < 0 ? 1 : 0))
  }
}
