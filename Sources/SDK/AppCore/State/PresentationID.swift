/// Names one presentation: its number, and what the child itself says it is.
@usableFromInline
struct PresentationID: Hashable, Sendable {
  /// Stays the same while the presentation does, though its box is copied when it is written.
  let number: Int
  let own: Own?

  /// What a child says it is.
  @usableFromInline
  enum Own: Hashable, Sendable {
    case id(AnySendableHashable)
    /// The case that an enum without an `id` is in.
    case tag(Int)
  }
}

/// Asks children of one type what they are; what can be known of the type is found out once.
@usableFromInline
struct PresentationIdentifier<State> {
  private let isIdentifiable = State.self is any Identifiable.Type
  private let metadata = EnumMetadata(State.self)
  private let isEphemeral = State.self is any EphemeralState.Type
  /// The cases of an enum of destinations that hold an alert or a dialog.
  private let ephemeralTags: Set<Int>

  /// Whether nothing but its box tells one child from another.
  @usableFromInline var isPlain: Bool { !isIdentifiable && metadata == nil }

  @usableFromInline
  init() {
    let payloads = (metadata?.cases ?? []).map { $0.payload.map(unlabelled) }
    ephemeralTags = Set(payloads.indices.filter { payloads[$0] is any EphemeralState.Type })
  }

  /// Whether the child goes once it has been answered.
  @usableFromInline
  func isEphemeral(_ own: PresentationID.Own?) -> Bool {
    if isEphemeral { return true }
    if case .tag(let tag)? = own { return ephemeralTags.contains(tag) }
    return false
  }

  /// What the child says it is; `nil` where nothing but its box tells it from another.
  func own(_ state: inout State?) -> PresentationID.Own? {
    if isIdentifiable {
      guard let child = state as? any Identifiable else { return nil }
      func id(_ child: some Identifiable) -> PresentationID.Own {
        .id(AnySendableHashable(child.id))
      }
      return id(child)
    }
    guard let metadata else { return nil }
    return state.reduceIfPresent { child in
      .tag(withUnsafePointer(to: &child) { metadata.tag(at: $0) })
    }
  }
}
