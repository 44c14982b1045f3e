internal import Glibc

/// A time zone: the offset of local time from UTC, as in `timeZone.secondsFromUTC(at: date.now)`.
public struct AppTimeZone: Sendable {
  /// The zone's name, as in `Europe/Berlin`; `system` for a system zone without a name.
  public let identifier: String
  private let offset: @Sendable (Instant) -> Int

  /// A zone with a fixed offset from UTC, positive to the east, whose name is by default `UTC` and
  /// the offset, as in `UTC+01:00`.
  public static func fixed(secondsFromUTC: Int, identifier: String? = nil) -> AppTimeZone {
    AppTimeZone(identifier: identifier ?? name(secondsFromUTC)) { _ in secondsFromUTC }
  }

  /// Coordinated universal time.
  public static let utc = AppTimeZone.fixed(secondsFromUTC: 0)

  /// The zone of the system, or that of the environment variable `TZ`.
  static let system = AppTimeZone(identifier: systemName) { instant in
    var seconds = time_t(instant.sinceEpoch.components.seconds)
    var parts = tm()
    return localtime_r(&seconds, &parts) == nil ? 0 : parts.tm_gmtoff
  }

  /// The zone's offset from UTC at a moment, in seconds, positive to the east.
  public func secondsFromUTC(at instant: Instant) -> Int { offset(instant) }

  /// A moment in the zone's local time, to the second: `2026-03-01 09:30:00`.
  public func text(of instant: Instant) -> String {
    let seconds = instant.sinceEpoch.components.seconds
    // Near the ends of an instant's range, adding an offset would overflow.
    let isShiftable = seconds.magnitude < 1 << 62
    let shifted = instant.advanced(by: .seconds(isShiftable ? offset(instant) : 0))
    let text = shifted.description.prefix { $0 != "." && $0 != "Z" }
    return String(text.map { $0 == "T" ? " " : $0 })
  }

  private static func name(_ seconds: Int) -> String {
    guard seconds != 0 else { return "UTC" }
    let (hours, rest) = seconds.magnitude.quotientAndRemainder(dividingBy: 3600)
    let parts = [hours, rest / 60] + (rest % 60 == 0 ? [] : [rest % 60])
    let digits = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    return "UTC\(seconds < 0 ? "-" : "+")\(digits)"
  }

  /// The name of the zone in `TZ`, or of the file to which /etc/localtime is a link.
  private static var systemName: String {
    if let variable = getenv("TZ") {
      let name = String(cString: variable)
      return name.isEmpty ? "UTC" : zone(of: name.hasPrefix(":") ? String(name.dropFirst()) : name)
    }
    guard let path = realpath("/etc/localtime", nil) else { return "system" }
    defer { free(path) }
    return zone(of: String(cString: path))
  }

  private static func zone(of path: String) -> String {
    if let folder = path.firstRange(of: "/zoneinfo/") { return String(path[folder.upperBound...]) }
    return path.hasPrefix("/") ? "system" : path
  }
}

extension AppTimeZone: Equatable, CustomStringConvertible {
  /// Whether both have the same name.
  public static func == (left: Self, right: Self) -> Bool { left.identifier == right.identifier }

  public var description: String { identifier }
}

extension DependencyValues {
  /// The time zone of the machine; in a test, as in `$0.timeZone = .fixed(secondsFromUTC: 3600)`.
  public var timeZone: AppTimeZone {
    get { self[TimeZoneKey.self] }
    set { self[TimeZoneKey.self] = newValue }
  }
}

private enum TimeZoneKey: DependencyKey {
  static var liveValue: AppTimeZone { .system }
}
