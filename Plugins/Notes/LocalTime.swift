internal import AppCore
internal import Glibc

/// Moments as people read them.
enum LocalTime {
  /// The moment in the machine's time zone, to the minute: `2026-03-01 09:30`.
  static func text(_ moment: Instant) -> String {
    var seconds = time_t(moment.sinceEpoch.components.seconds)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return moment.description }
    let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    let time = [Int(parts.tm_hour), Int(parts.tm_min)]
    return date.map(twoDigits).joined(separator: "-") + " "
      + time.map(twoDigits).joined(separator: ":")
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
