internal import Support

/// Looks for nearest names within a budget, so that a manifest full of mistakes costs no more than
/// one with a few.
package struct Suggestions {
  private var budget = 200_000

  package init() {}

  /// The nearest name; nil when none is close or the budget is spent.
  package mutating func nearest(to name: String, among names: some Collection<String>) -> String? {
    guard budget > 0 else { return nil }
    budget -= names.count
    return NearestName.of(name, among: names.sorted())
  }
}
