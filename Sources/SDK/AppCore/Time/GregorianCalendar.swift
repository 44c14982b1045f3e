/// The Gregorian calendar, also before it was introduced and in years of any length.
///
/// The year before the year 1 is the year 0, as in ISO 8601.
enum GregorianCalendar {
  // Years are counted from March on, so that a leap day is the last day of its year, and 400 years,
  // an era, have 146,097 days. March 1 of the year 0 is 719,468 days before 1970.

  /// The days from the beginning of 1970 to a date.
  static func daysSinceEpoch(year: Int128, month: Int, day: Int) -> Int128 {
    let (era, yearOfEra) = (month > 2 ? year : year - 1).dividedRoundingDown(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + Int128(dayOfEra) - 719_468
  }

  /// The date some days after the beginning of 1970.
  static func date(daysSinceEpoch days: Int128) -> (year: Int128, month: Int, day: Int) {
    let (era, dayOfEra) = (days + 719_468).dividedRoundingDown(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = era * 400 + Int128(yearOfEra) + (month > 2 ? 0 : 1)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}

extension Int128 {
  /// The quotient, rounded down, and the remainder, which is never negative.
  func dividedRoundingDown(by divisor: Int) -> (quotient: Int128, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: Int128(divisor))
    return remainder < 0
      ? (quotient - 1, Int(remainder) + divisor) : (quotient, Int(remainder))
  }
}
