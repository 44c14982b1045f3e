internal import Glibc

/// Formats dates for Debian's files: in UTC, and in English in every locale.
enum DebianDate {
  /// The date as in a changelog, such as `Tue, 01 Jan 1980 00:00:00 +0000`.
  ///
  /// - Parameter time: the time in seconds since 1970.
  /// - Returns: the date.
  static func text(_ time: Int) -> String {
    let parts = parts(time)
    let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    return "\(weekdays[Int(parts.tm_wday)]), \(twoDigits(parts.tm_mday)) "
      + "\(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900) \(clock) +0000"
  }

  /// The date as `1980-01-01`.
  ///
  /// - Parameter time: the time in seconds since 1970.
  /// - Returns: the date.
  static func day(_ time: Int) -> String {
    let parts = parts(time)
    return "\(parts.tm_year + 1900)-\(twoDigits(parts.tm_mon + 1))-\(twoDigits(parts.tm_mday))"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func parts(_ time: Int) -> tm {
    var seconds = time_t(time)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return parts
  }

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
