/// A letter that only looks like another, or like none: a Cyrillic `а`, a space without width.
package enum OddLetter {
  /// Which letter of a name is none of the name that was meant: `its 3rd letter is U+0430`.
  static func description(in name: String, for meant: String) -> String? {
    let expected = Set(meant.unicodeScalars)
    return description(in: name) { !expected.contains($0) }
  }

  /// Which letter of a name is none of ASCII, where names have no others.
  package static func description(in name: String) -> String? {
    description(in: name) { _ in true }
  }

  private static func description(
    in name: String, where isOdd: (Unicode.Scalar) -> Bool
  ) -> String? {
    for (index, scalar) in name.unicodeScalars.enumerated()
    where scalar.value > 0x7F && isOdd(scalar) {
      return "its \(ordinal(index + 1)) letter is U+\(Wording.hex(scalar.value))"
    }
    return nil
  }

  private static func ordinal(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (_, 11...13): "\(number)th"
    case (1, _): "\(number)st"
    case (2, _): "\(number)nd"
    case (3, _): "\(number)rd"
    default: "\(number)th"
    }
  }
}
