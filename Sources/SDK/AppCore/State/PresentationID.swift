/// Identifies one presentation by its number and the child's own identity.
@frozen
@usableFromInline
struct PresentationID: Hashable, Sendable {
  private let number: Int
  /// The tag of an enum's case, or the key of a destination's; otherwise -1.
  private let tag: Int
  /// The child's `id`, or that of its case's payload.
  private let id: PresentedID?

  @usableFromInline
  init(number: Int, tag: Int = -1, id: PresentedID? = nil) {
    self.number = number
    self.tag = tag
    self.id = id
  }
}

/// The `id` of a presented child; one reference, since most children have none.
@usableFromInline
final class PresentedID: Hashable, Sendable {
  private let id: AnySendableHashable

  fileprivate init(_ id: some Hashable) { self.id = AnySendableHashable(id) }

  @usableFromInline
  static func == (left: PresentedID, right: PresentedID) -> Bool { left.id == right.id }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Distinguishes the children of one type.
///
/// A child with an `id` is a new child if its `id` differs; an enum, and a ``DestinationState``, if
/// its case differs, or the `id` of the case's payload; any other child if it was assigned as a
/// whole.
@frozen
@usableFromInline
struct PresentationIdentifier<State> {
  /// Whether only the assignment distinguishes one child from another.
  @usableFromInline let isByAssignment: Bool
  @usableFromInline let isEphemeral: Bool
  @usableFromInline let kind: PresentedKind<State>

  @usableFromInline
  init() {
    kind = PresentedKind()
    isByAssignment = kind.isByAssignment
    isEphemeral = kind.isEphemeral
  }

  /// The identity of the presentation; `nil` if nothing is presented.
  ///
  /// - Complexity: O(1); it allocates only if the child has an `id`.
  @inlinable
  func id(of presentation: borrowing PresentationState<State>) -> PresentationID? {
    guard let box = presentation.box else { return nil }
    return isByAssignment ? PresentationID(number: box.edition) : kind.id(of: box)
  }

  /// Whether the child is an alert or a dialog that `action` answers, and so dismisses.
  @inlinable
  func isAnswered<Action>(
    _ presentation: borrowing PresentationState<State>, by action: Action, of actions: EnumMetadata?
  ) -> Bool {
    guard isEphemeral, let box = presentation.box else { return false }
    return kind.isAnswered(box, by: action, of: actions)
  }
}

/// The traits of a type of children, looked up once.
@usableFromInline
final class PresentedKind<State> {
  private let identifiable = State.self as? any Identifiable.Type
  private let metadata = EnumMetadata(State.self)
  private let isChoice = State.self is any DestinationChoice.Type
  /// For each case of an enum, the type of its payload if that has an `id`.
  private let identifiablePayloads: [(any Identifiable.Type)?]
  /// The state's type if it is an alert or a dialog; below, the same for the payloads of its cases.
  private let ephemeral: (any EphemeralState.Type)?
  private let ephemeralPayloads: [(any EphemeralState.Type)?]

  init() {
    let payloads = (metadata?.cases ?? []).map { $0.payload.map(unlabelled) }
    identifiablePayloads = payloads.map { $0 as? any Identifiable.Type }
    ephemeral = State.self as? any EphemeralState.Type
    ephemeralPayloads = payloads.map { $0 as? any EphemeralState.Type }
  }

  var isByAssignment: Bool { identifiable == nil && metadata == nil && !isChoice }

  var isEphemeral: Bool { ephemeral != nil || isChoice || ephemeralPayloads.contains { $0 != nil } }

  @usableFromInline
  func id(of box: PresentationBox<State>) -> PresentationID {
    if let identifiable {
      return PresentationID(number: box.number, id: Self.id(identifiable, at: box.value))
    }
    if let choice = choice(box) {
      return PresentationID(number: box.number, tag: choice.key, id: choice.childID)
    }
    guard let metadata else { return PresentationID(number: box.edition) }
    let tag = metadata.tag(at: box.value)
    let id = identifiablePayloads[tag].map { type in
      metadata.withPayload(of: box.value, tag: tag) { Self.id(type, at: $0) }
    }
    return PresentationID(number: box.number, tag: tag, id: id)
  }

  private func choice(_ box: PresentationBox<State>) -> (any DestinationChoice)? {
    isChoice ? box.value.pointee as? any DestinationChoice : nil
  }

  /// The `id` of a child in its box.
  static func id(
    _ type: any Identifiable.Type, at pointer: UnsafeRawPointer
  ) -> PresentedID {
    func id<Child: Identifiable>(_ type: Child.Type) -> PresentedID {
      PresentedID(pointer.assumingMemoryBound(to: Child.self).pointee.id)
    }
    return id(type)
  }

  @usableFromInline
  func isAnswered<Action>(
    _ box: PresentationBox<State>, by action: Action, of actions: EnumMetadata?
  ) -> Bool {
    if ephemeral != nil { return true }
    if let choice = choice(box) {
      return choice.isEphemeral && choice.key == (action as? any DestinationAnswer)?.key
    }
    guard let metadata else { return false }
    let tag = metadata.tag(at: box.value)
    guard let dialog = ephemeralPayloads[tag] else { return false }
    // One of several destinations: the action must be for this one.
    guard Action.self != dialog.actionType, let actions else { return true }
    let answered = actions.cases[actions.tag(of: action)]
    if answered.name == metadata.cases[tag].name { return true }
    return actions.tag(named: metadata.cases[tag].name) == nil
      && answered.payload.map(unlabelled) == dialog.actionType
  }
}
