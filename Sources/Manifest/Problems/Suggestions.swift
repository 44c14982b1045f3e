internal import Support

/// Looks for nearest names within a budget, so that a manifest full of mistakes costs no more than
/// one with a few.
struct Suggestions {
  private var budget = 200_000

  /// The nearest name; nil when none is close or the budget is spent.
  mutating func nearest(to name: String, among names: some Collection<String>) -> String? {
    budget -= names.count
    return budget > 0 ? NearestName.of(name, among: names.sorted()) : nil
  }
}
