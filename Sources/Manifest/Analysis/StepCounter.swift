/// Counts the steps of an analysis, so that a test can show that they grow with the manifest and not
/// with its square.
package final class StepCounter {
  /// How many steps were taken.
  package private(set) var steps = 0

  package init() {}

  /// Counts some steps; one unless given.
  package func count(_ steps: Int = 1) { self.steps += steps }
}
