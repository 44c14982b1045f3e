/// Identifies one presentation by its number and the child's own identity.
@usableFromInline
struct PresentationID: Hashable, Sendable {
  let number: Int
  /// The tag of an enum's case, or the key of a destination's.
  var tag: Int?
  /// The child's `id`, or that of its case's payload.
  var id: AnySendableHashable?
}

/// How the children of one type are told apart.
///
/// A child with an `id` is a new child if its `id` differs; an enum, and a ``DestinationState``, if
/// its case differs, or the `id` of the case's payload; any other child if it was assigned as a
/// whole.
@usableFromInline
final class ChildKind<State> {
  private let isIdentifiable = State.self is any Identifiable.Type
  private let isChoice = State.self is any DestinationChoice.Type
  private let metadata = EnumMetadata(State.self)
  /// For each case of an enum, whether its payload has an `id`.
  private let identifiablePayloads: [Bool]
  /// The state's type if it is an alert or a dialog; below, the same for the payloads of its cases.
  private let dialog: (any EphemeralState.Type)?
  private let dialogPayloads: [(any EphemeralState.Type)?]
  private let hasDialogPayloads: Bool

  @usableFromInline
  init() {
    let payloads = (metadata?.cases ?? []).map { $0.payload.map(unlabelled) }
    identifiablePayloads = payloads.map { $0 is any Identifiable.Type }
    dialog = State.self as? any EphemeralState.Type
    dialogPayloads = payloads.map { $0 as? any EphemeralState.Type }
    hasDialogPayloads = dialogPayloads.contains { $0 != nil }
  }

  /// The identity of a child that is not presented.
  func element(of state: State) -> ScopeElement {
    isIdentifiable ? ownID(of: state).map(ScopeElement.identified) ?? .only : .only
  }

  /// The identity of a presentation; `nil` if nothing is presented.
  ///
  /// - Complexity: O(1); it allocates only if the child has an `id`.
  func id(of presentation: PresentationState<State>) -> PresentationID? {
    guard let box = presentation.box else { return nil }
    return isIdentifiable || isChoice || metadata != nil
      ? ownID(in: box) : PresentationID(number: box.assignment)
  }

  // Apart from the case without an `id`: a function that has the state as a variable looks its type
  // up, at each level of nested presentations.
  @inline(never)
  private func ownID(in box: PresentationBox<State>) -> PresentationID? {
    guard let state = box.state else { return PresentationID(number: box.assignment) }
    if isIdentifiable { return PresentationID(number: box.number, id: ownID(of: state)) }
    if isChoice, let choice = state as? any DestinationChoice {
      return PresentationID(number: box.number, tag: choice.key, id: choice.childID)
    }
    guard let metadata else { return nil }
    let tag = metadata.tag(of: state)
    let id = identifiablePayloads[tag] ? ownID(of: metadata.payload(of: state, tag: tag)) : nil
    return PresentationID(number: box.number, tag: tag, id: id)
  }

  private func ownID(of child: Any?) -> AnySendableHashable? {
    func id(_ child: some Identifiable) -> AnySendableHashable { AnySendableHashable(child.id) }
    return (child as? any Identifiable).map { id($0) }
  }

  /// Whether the child is an alert or a dialog that `action` answers, and so dismisses.
  func isAnswered<Action>(
    _ presentation: PresentationState<State>, by action: Action, of actions: EnumMetadata?
  ) -> Bool {
    if dialog != nil { return true }
    return isChoice || hasDialogPayloads
      ? isAnsweredCase(presentation, by: action, of: actions) : false
  }

  @inline(never)
  private func isAnsweredCase<Action>(
    _ presentation: PresentationState<State>, by action: Action, of actions: EnumMetadata?
  ) -> Bool {
    guard let state = presentation.box?.state else { return false }
    if isChoice, let choice = state as? any DestinationChoice {
      return choice.isEphemeral && choice.key == (action as? any DestinationAnswer)?.key
    }
    guard let metadata else { return false }
    let tag = metadata.tag(of: state)
    guard let dialog = dialogPayloads[tag] else { return false }
    // One of several destinations: the action must be for this one.
    guard Action.self != dialog.actionType, let actions else { return true }
    let answered = actions.cases[actions.tag(of: action)]
    if answered.name == metadata.cases[tag].name { return true }
    return actions.tag(named: metadata.cases[tag].name) == nil
      && answered.payload.map(unlabelled) == dialog.actionType
  }
}
