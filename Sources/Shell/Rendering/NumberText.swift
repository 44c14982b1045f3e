internal import Support

/// Formats numbers with their units for users.
enum NumberText {
  /// The number with at most two decimals, a space and its unit.
  static func of(_ number: Double, unit: String = "") -> String {
    guard number.isFinite else { return "–" }
    let suffix = unit.isEmpty ? "" : " " + SafeText.line(unit)
    let hundredths = (number * 100).rounded()
    // Above this a `Double` can't represent hundredths exactly.
    guard abs(hundredths) < 1e15 else { return "\(number)" + suffix }
    let rounded = hundredths / 100
    return (Int(exactly: rounded).map(String.init) ?? String(rounded)) + suffix
  }

  /// A duration: in whole microseconds, or from 1 ms on in milliseconds.
  static func time(microseconds: Double) -> String {
    microseconds.rounded() < 1000
      ? "\(Int(microseconds.rounded())) µs" : of(microseconds / 1000, unit: "ms")
  }
}
