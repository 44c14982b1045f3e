/// Reads a length of time with its unit, such as `5ms`.
enum TimeReader {
  /// What is read, for messages.
  static let expected = "a time with its unit, such as 250us, 5ms or 1s"

  /// The length of time that `text` is; `nil` if it has no unit, is negative or longer than a day.
  static func duration(_ text: some StringProtocol) -> Duration? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Numeral.double(digits), let unit = unit(text[digits.endIndex...]) else {
      return nil
    }
    // In nanoseconds, the unit of the clock.
    let nanoseconds = (number * unit).rounded()
    guard nanoseconds <= 86_400e9 else { return nil }
    return .nanoseconds(Int(nanoseconds))
  }

  /// How many nanoseconds a unit has.
  private static func unit(_ name: some StringProtocol) -> Double? {
    switch name {
    // The micro sign, and the Greek letter that looks like it.
    case "us", "\u{b5}s", "\u{3bc}s": 1e3
    case "ms": 1e6
    case "s": 1e9
    default: nil
    }
  }
}
