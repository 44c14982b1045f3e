/// Tells to which kind an action belongs, by the tag of its case.
package struct ActionBoundary<Action>: Sendable {
  private let metadata: EnumMetadata?
  private let delegateTag: Int

  /// Looks the cases up, once.
  package init() {
    metadata = Action.self is any FeatureAction.Type ? EnumMetadata(Action.self) : nil
    delegateTag = metadata?.tag(named: "delegate") ?? -1
  }

  /// Whether `action` leaves the reducer that emitted it.
  ///
  /// - Complexity: constant; a few nanoseconds.
  package func isDelegate(_ action: Action) -> Bool {
    guard delegateTag >= 0, let metadata else { return false }
    return metadata.tag(of: action) == delegateTag
  }
}
