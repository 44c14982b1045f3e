internal import Glibc

/// The times in `allowed_signers`; everything else in it is left to `ssh-keygen`.
struct AllowedSigners {
  /// The times at which a key becomes valid or expires, in seconds since 1970, as if they were in
  /// UTC.
  private let boundaries: [Int64]
  /// Whether these are all times: those of certificates are not read.
  private let isComplete: Bool
  /// The same file without its times.
  let timeless: [UInt8]

  /// How far a time zone is from UTC at most, in seconds.
  private static let zone: Int64 = 14 * 3600

  init(_ bytes: [UInt8]) {
    // Names of options are read in either case.
    let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x3f }, as: UTF8.self).lowercased()
    var boundaries: [Int64] = []
    var isComplete = !text.contains("cert-authority")
    var timeless: [UInt8] = []
    var start = text.startIndex
    while let option = text[start...].firstRange(of: "valid-") {
      timeless += bytes[offset(of: start, in: text)..<offset(of: option.lowerBound, in: text)]
      let parts = text[option.lowerBound...].prefix { $0 != "\n" }
        .split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let time = Self.time(parts[1]),
        parts[0] == "valid-after=" || parts[0] == "valid-before="
      else {
        isComplete = false
        timeless += "valid-".utf8
        start = option.upperBound
        continue
      }
      boundaries.append(time)
      let isAfter = parts[0] == "valid-after="
      timeless += (isAfter ? "valid-after=\"19700102\"" : "valid-before=\"99991231\"").utf8
      start = parts[2].startIndex
    }
    timeless += bytes[offset(of: start, in: text)...]
    self.boundaries = boundaries
    self.isComplete = isComplete
    self.timeless = timeless

    /// Where in the bytes a place of the text is: each of its characters is one byte.
    func offset(of index: String.Index, in text: String) -> Int {
      text.utf8.distance(from: text.startIndex, to: index)
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
