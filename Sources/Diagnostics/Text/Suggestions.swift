internal import Support

/// A name that was probably meant.
package struct Suggestion: Hashable, Sendable {
  /// The name.
  package let name: String
  /// Whether the name that is there is one slip away from it, and from no other.
  package var isCertain: Bool
  /// Which letter of the name that is there only looks like one of this name.
  let oddLetter: String?

  package init(_ name: String, isCertain: Bool, oddLetter: String? = nil) {
    self.name = name
    self.isCertain = isCertain
    self.oddLetter = oddLetter
  }

  /// The question whether this was meant.
  var question: String {
    "did you mean '\(Wording.printable(name))'?" + (oddLetter.map { " \($0)" } ?? "")
  }
}

/// Looks for nearest names within a budget, so that a manifest full of mistakes costs no more than
/// one with a few.
package struct Suggestions {
  private var budget = 200_000

  package init() {}

  /// The nearest name; nil when none is close or the budget is spent.
  package mutating func nearest(
    to name: String, among names: some Collection<String>
  ) -> Suggestion? {
    guard budget > 0 else { return nil }
    budget -= names.count
    guard let match = NearestName.match(name, among: names.sorted()) else { return nil }
    return Suggestion(
      match.name, isCertain: match.isOnly && match.slips <= 1,
      oddLetter: OddLetter.description(in: name, for: match.name))
  }
}

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
