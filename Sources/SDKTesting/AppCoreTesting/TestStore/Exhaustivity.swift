/// How much a ``TestStore`` requires a test to assert.
public enum Exhaustivity: Hashable, Sendable {
  /// Everything: each change of the state, each action of an effect, the end of each effect.
  case on
  /// Only what the test asserts. With `showSkippedAssertions` the rest is shown, as a warning in
  /// Swift Testing and on standard error in XCTest.
  case off(showSkippedAssertions: Bool)

  /// Only what the test asserts; the rest is not reported.
  public static let off = Exhaustivity.off(showSkippedAssertions: false)

  var showsSkipped: Bool { self == .off(showSkippedAssertions: true) }
}
