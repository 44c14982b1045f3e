/// Tells which actions of a type are delegate actions, by the tag of their case.
///
/// Not generic: its type would be looked up for each action at every level.
@frozen
@usableFromInline
struct ActionBoundary: Sendable {
  @usableFromInline let witnesses: EnumWitnesses?
  @usableFromInline let delegateTag: Int

  /// Looks up the tag of the delegate case.
  @usableFromInline
  init(_ type: Any.Type) {
    let metadata = type is any FeatureAction.Type ? EnumMetadata(type) : nil
    let tag = metadata?.tag(named: "delegate")
    witnesses = tag == nil ? nil : metadata?.witnesses
    delegateTag = tag ?? -1
  }

  /// Whether `action`, which must be of the type, leaves the reducer that emitted it.
  ///
  /// - Complexity: O(1); a few nanoseconds.
  @inlinable
  func isDelegate<Action>(_ action: Action) -> Bool {
    guard let witnesses else { return false }
    return witnesses.tag(of: action) == delegateTag
  }
}
