internal import AppCore
internal import Glibc

/// The times in `allowed_signers`; everything else in it is left to `ssh-keygen`.
struct AllowedSigners {
  /// The times at which a key becomes valid or expires, in seconds since 1970, as if they were in
  /// UTC.
  private var boundaries: [Int64] = []
  /// Those at which one expires, and whether that is in UTC.
  private var expiries: [(time: Int64, isUTC: Bool)] = []
  /// Whether these are all times: those of certificates are not read.
  private var isComplete: Bool
  /// How far a time zone is from UTC at most, in seconds.
  private static let zone: Int64 = 14 * 3600

  init(_ bytes: [UInt8]) {
    // Names of options are read in either case.
    let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x3f }, as: UTF8.self).lowercased()
    isComplete = !text.contains("cert-authority")
    for option in text.ranges(of: "valid-") {
      let rest = text[option.upperBound...]
      guard let match = rest.prefixMatch(of: /(after|before)="([^"\n]*)"/),
        let time = Self.time(match.2)
      else {
        isComplete = false
        continue
      }
      boundaries.append(time)
      if match.1 == "before" { expiries.append((time, match.2.hasSuffix("z"))) }
    }
  }

  /// Whether what was valid at one time is certainly valid at another.
  ///
  /// A time may be in the machine's time zone, which a variable can change. So around each time
  /// nothing is certain for more than half a day.
  func isUnchanged(from start: Int64, to end: Int64) -> Bool {
    isComplete && start <= end
      && boundaries.allSatisfy { $0 + Self.zone < start || end < $0 - Self.zone }
  }

  /// The times at which keys expire within some seconds, earliest first: the day, and the second
  /// after it as `ssh-keygen` takes it.
  func endings(from start: Int64, within seconds: Int64) -> [(day: String, next: String)] {
    expiries.filter { start - Self.zone <= $0.time && $0.time <= start + seconds }
      .sorted { $0.time < $1.time }
      .map { end in
        let next = "\(Instant(secondsSinceEpoch: Int(end.time) + 1))".filter(\.isNumber)
        let day = "\(Instant(secondsSinceEpoch: Int(end.time)))".prefix { $0 != "T" }
        return (String(day), next + (end.isUTC ? "Z" : ""))
      }
  }

  /// Reads `YYYYMMDD[HHMM[SS]][Z]`.
  private static func time(_ text: Substring) -> Int64? {
    var digits = text
    // The text is in lower case by now.
    if digits.hasSuffix("z") { digits.removeLast() }
    guard [8, 12, 14].contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let numbers = Array(digits.utf8).map { Int32($0) - 0x30 }
    func number(_ start: Int, _ count: Int = 2) -> Int32 {
      guard start + count <= numbers.count else { return 0 }
      return numbers[start..<start + count].reduce(0) { $0 * 10 + $1 }
    }
    var time = tm()
    time.tm_year = number(0, 4) - 1900
    time.tm_mon = number(4) - 1
    time.tm_mday = number(6)
    time.tm_hour = number(8)
    time.tm_min = number(10)
    time.tm_sec = number(12)
    return Int64(timegm(&time))
  }
}
