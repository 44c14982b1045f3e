extension Instant: LosslessStringConvertible {
  /// The moment in UTC, in ISO 8601 format: `2026-03-01T08:30:00Z`, with a fraction if there is
  /// one.
  public var description: String {
    var (seconds, attoseconds) = sinceEpoch.components
    if attoseconds < 0 {
      seconds -= 1
      attoseconds += 1_000_000_000_000_000_000
    }
    let (day, second) = Self.divided(seconds, by: 86_400)
    let date = CivilDate(daysSinceEpoch: day)
    let nanoseconds = attoseconds / 1_000_000_000
    var text = "\(date)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):"
    text += padded(second % 60, 2)
    if nanoseconds > 0 {
      let digits = padded(nanoseconds, 9)
      text += "." + String(digits.reversed().drop { $0 == "0" }.reversed())
    }
    return text + "Z"
  }

  /// Parses a moment; `nil` if `text` is not one.
  ///
  /// - Parameter text: as in `2026-03-01T08:30:00Z`, with a fraction of at most nine digits, and
  ///   `Z` or an offset from UTC such as `+02:00`.
  public init?(_ text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2), reader.take("T") || reader.take("t"),
      let hour = reader.number(2), hour < 24, reader.take(":"),
      let minute = reader.number(2), minute < 60, reader.take(":"),
      let second = reader.number(2), second < 60,
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var nanoseconds = 0
    if reader.take(".") {
      guard let fraction = reader.fraction(upTo: 9) else { return nil }
      nanoseconds = fraction
    }
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    let seconds = date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - offset
    self.init(sinceEpoch: .seconds(seconds) + .nanoseconds(nanoseconds))
  }

  /// The quotient, rounded down, and the remainder, which is never negative.
  private static func divided(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// A number, padded with leading zeros.
private func padded(_ number: some BinaryInteger, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// A day of the proleptic Gregorian calendar.
private struct CivilDate: CustomStringConvertible {
  let year: Int
  let month: Int
  let day: Int

  /// A day; `nil` if the month has no such day.
  init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.length(of: month, in: year) else {
      return nil
    }
    (self.year, self.month, self.day) = (year, month, day)
  }

  // Both directions: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  init(daysSinceEpoch: Int64) {
    let shifted = Int(daysSinceEpoch) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSinceEpoch: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  var description: String {
    let sign = year < 0 ? "-" : ""
    return "\(sign)\(padded(year.magnitude, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Reads numbers of a fixed width from the start of a text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func number(_ width: Int) -> Int? {
    guard rest.count >= width else { return nil }
    var result = 0
    for _ in 0..<width {
      guard let digit = digit() else { return nil }
      result = result * 10 + digit
    }
    return result
  }

  /// The digits of a fraction as an integer, padded with zeros to `limit` digits.
  mutating func fraction(upTo limit: Int) -> Int? {
    var result = 0
    var count = 0
    while count < limit, let digit = digit() {
      result = result * 10 + digit
      count += 1
    }
    guard count > 0 else { return nil }
    for _ in count..<limit { result *= 10 }
    return result
  }

  /// The offset from UTC, in seconds.
  mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isBehind = take("-")
    guard isBehind || take("+"), let hour = number(2), hour < 24, take(":"),
      let minute = number(2), minute < 60
    else { return nil }
    let distance = hour * 3600 + minute * 60
    return isBehind ? -distance : distance
  }

  private mutating func digit() -> Int? {
    guard let first = rest.first, first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") else {
      return nil
    }
    rest = rest.dropFirst()
    return Int(first - UInt8(ascii: "0"))
  }
}
