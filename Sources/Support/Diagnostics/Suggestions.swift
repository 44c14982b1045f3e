/// A name that was probably meant.
package struct Suggestion: Hashable, Sendable {
  /// The name.
  package let name: String
  /// Whether the written name is at most one edit away from this one, and from no other.
  package var isCertain: Bool
  /// A note on a letter of the written name that only looks like one of this name.
  let oddLetter: String?

  package init(_ name: String, isCertain: Bool, oddLetter: String? = nil) {
    self.name = name
    self.isCertain = isCertain
    self.oddLetter = oddLetter
  }

  /// The question for a message: `did you mean 'name'?`.
  var question: String {
    "did you mean '\(Wording.printable(name))'?" + (oddLetter.map { " \($0)" } ?? "")
  }
}

/// Finds nearest names within a budget, so that a manifest full of mistakes costs no more than one
/// with a few.
package struct Suggestions {
  private var budget = 200_000
  /// Whether no name is found any more, so that it is not worth listing those to be searched.
  package var isSpent: Bool { budget <= 0 }

  package init() {}

  /// The nearest name; `nil` if none is close or the budget is spent.
  package mutating func nearest(
    to name: String, among names: some Collection<String>
  ) -> Suggestion? {
    guard !isSpent else { return nil }
    budget -= names.count
    guard let match = NearestName.match(name, among: names.sorted()) else { return nil }
    return Suggestion(
      match.name, isCertain: match.isOnly && match.slips <= 1,
      oddLetter: OddLetter.description(in: name, for: match.name))
  }
}

/// Describes a letter that looks like another one or is invisible: a Cyrillic `а`, a zero-width
/// space.
package enum OddLetter {
  /// A note on the first letter of a name that is neither ASCII nor in the name that was meant:
  /// `its 3rd letter is U+0430`.
  static func description(in name: String, for meant: String) -> String? {
    let expected = Set(meant.unicodeScalars)
    return description(in: name) { !expected.contains($0) }
  }

  /// A note on the first letter of a name that is not ASCII, if names must be ASCII.
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
