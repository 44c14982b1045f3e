internal import Support

/// A name that was probably meant.
package struct Suggestion: Hashable, Sendable {
  /// The name.
  package let name: String
  /// Whether the name that stands there is one slip away from it, and from no other.
  package var isCertain: Bool
  /// Which letter of the name that stands there only looks like one of this name.
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
