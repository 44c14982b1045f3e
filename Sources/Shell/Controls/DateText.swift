@_spi(Host) package import AppCore
internal import Support

/// Dates as people type them: `2026-03-01`, `today`, and some days or weeks from today, as in `+3d` and
/// `-1w`.
package enum DateText {
  /// The date that a text stands for; `nil` if it is not one.
  ///
  /// `today` is called only if the text depends on it.
  package static func date(_ text: String, today: () -> CalendarDate) -> CalendarDate? {
    let text = Scanner.trim(text[...]).lowercased()
    if text == "today" { return today() }
    if let date = CalendarDate(text) { return date }
    return days(text).flatMap { today().advanced(by: $0) }
  }

  /// The days of a text such as `+3d` or `-1w`.
  private static func days(_ text: String) -> Int? {
    guard let number = digits(text).flatMap({ Int($0) }) else { return nil }
    let (days, overflows) = number.multipliedReportingOverflow(by: text.last == "w" ? 7 : 1)
    return overflows ? nil : text.first == "-" ? -days : days
  }

  /// The digits of a text such as `+3d` or `-1w`; `nil` for another one.
  private static func digits(_ text: String) -> Substring? {
    let digits = text.dropFirst().dropLast()
    guard let sign = text.first, "+-".contains(sign), let unit = text.last, "dw".contains(unit),
      !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return digits
  }

  /// Why a text is not a date, where it says more than that it is not; otherwise `nil`.
  static func reason(_ text: String) -> String? {
    let text = Scanner.trim(text[...]).lowercased()
    if digits(text) != nil { return "the calendar ends with the years 1 and 9999" }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      let year = Int(parts[0]), let month = Int(parts[1]), Int(parts[2]) != nil
    else { return nil }
    guard let count = CalendarDate.days(in: month, of: year) else {
      return year == 0 ? "the first year is 0001" : "months are 01 to 12"
    }
    return "\(parts[0])-\(parts[1]) has \(count) days"
  }
}
