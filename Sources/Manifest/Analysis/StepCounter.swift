/// Counts the steps of an analysis, so that tests can check that they grow linearly with the
/// manifest.
package final class StepCounter {
  /// The number of steps so far.
  package private(set) var steps = 0

  package init() {}

  /// Adds steps to the count.
  package func count(_ steps: Int = 1) { self.steps += steps }
}
