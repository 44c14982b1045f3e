internal import Support

/// A name that was probably meant.
package struct Suggestion: Hashable, Sendable {
  /// The name.
  package let name: String
  /// Whether the name that stands there is one slip away from it, and from no other.
  package var isCertain: Bool

  package init(_ name: String, isCertain: Bool) {
    self.name = name
    self.isCertain = isCertain
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
    return Suggestion(match.name, isCertain: match.isOnly && match.slips <= 1)
  }
}
