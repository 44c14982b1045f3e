internal import Support

/// Measured numbers as people read them.
enum NumberText {
  /// The number with at most two digits after the point, and its unit after a space.
  static func of(_ number: Double, unit: String = "") -> String {
    guard number.isFinite else { return "–" }
    let suffix = unit.isEmpty ? "" : " " + SafeText.line(unit)
    let hundredths = (number * 100).rounded()
    // Beyond this the hundredths are no longer whole numbers.
    guard abs(hundredths) < 1e15 else { return "\(number)" + suffix }
    let rounded = hundredths / 100
    return (Int(exactly: rounded).map(String.init) ?? String(rounded)) + suffix
  }

  /// How long something took: in whole microseconds, or from one on in milliseconds.
  static func time(microseconds: Double) -> String {
    microseconds < 1000
      ? "\(Int(microseconds.rounded())) µs" : of(microseconds / 1000, unit: "ms")
  }
}
