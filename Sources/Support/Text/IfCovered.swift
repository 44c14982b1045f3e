/// The behavior of an entering verb if its emitter is not in front.
public enum IfCovered: String, Hashable, Sendable, CaseIterable {
  /// The step is rejected with the code `not-current`; the default.
  case refuse
  /// Everything that covers the emitter is removed first.
  case cut
  /// The verb acts on the current instance.
  case over
}
