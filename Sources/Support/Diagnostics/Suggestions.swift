/// A name that was probably meant.
package struct Suggestion: Hashable, Sendable {
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
      oddLetter: Wording.oddLetter(in: name, meaning: match.name))
  }
}
