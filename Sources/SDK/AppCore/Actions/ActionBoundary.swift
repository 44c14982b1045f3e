/// Tells which actions are delegate actions, by the tag of their case.
@frozen
@usableFromInline
struct ActionBoundary<Action>: Sendable {
  @usableFromInline let witnesses: EnumWitnesses?
  @usableFromInline let delegateTag: Int

  /// Looks up the tag of the delegate case.
  @usableFromInline
  init() {
    guard Action.self is any FeatureAction.Type, let metadata = EnumMetadata(Action.self),
      let tag = metadata.tag(named: "delegate")
    else {
      witnesses = nil
      delegateTag = -1
      return
    }
    witnesses = metadata.witnesses
    delegateTag = tag
  }

  /// Whether `action` leaves the reducer that emitted it.
  ///
  /// - Complexity: O(1); a few nanoseconds.
  @inlinable
  func isDelegate(_ action: Action) -> Bool {
    guard let witnesses else { return false }
    return witnesses.tag(of: action) == delegateTag
  }
}
