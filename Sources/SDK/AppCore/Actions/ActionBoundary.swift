/// Tells to which kind an action belongs, by the tag of its case.
@usableFromInline
package struct ActionBoundary<Action>: Sendable {
  /// The same for actions whose type is not known.
  @usableFromInline let raw: RawBoundary

  /// Looks the cases up, once.
  @usableFromInline
  package init() {
    guard Action.self is any FeatureAction.Type, let metadata = EnumMetadata(Action.self),
      let tag = metadata.tag(named: "delegate")
    else {
      raw = RawBoundary(tags: nil, delegateTag: -1)
      return
    }
    raw = RawBoundary(tags: metadata.tags, delegateTag: tag)
  }

  /// Whether there are actions that leave the reducer that emitted them.
  package var hasDelegates: Bool { raw.delegateTag >= 0 }

  /// Whether `action` leaves the reducer that emitted it.
  ///
  /// - Complexity: constant; a few nanoseconds.
  @inlinable
  package func isDelegate(_ action: Action) -> Bool {
    guard let tags = raw.tags else { return false }
    return tags.tag(of: action) == raw.delegateTag
  }
}

/// Tells delegate actions of one type by their tag.
@usableFromInline
struct RawBoundary: Sendable {
  @usableFromInline let tags: EnumTagReader?
  @usableFromInline let delegateTag: Int

  init(tags: EnumTagReader?, delegateTag: Int) {
    self.tags = tags
    self.delegateTag = delegateTag
  }

  /// Whether the action at `pointer` leaves the reducer that emitted it.
  @inlinable
  func isDelegate(at pointer: UnsafeRawPointer) -> Bool {
    guard let tags else { return false }
    return tags.tag(at: pointer) == delegateTag
  }
}
