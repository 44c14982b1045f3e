/// Tells the children of one type apart that are not presented: by their `id`, if they have one.
struct ChildIdentifier<State> {
  private let identifiable = State.self as? any Identifiable.Type

  /// Which child it is.
  func element(_ state: State) -> ScopeElement {
    guard identifiable != nil, let child = state as? any Identifiable else { return .only }
    return .identified(Self.id(child))
  }

  /// Which child it is; `nil` if there is none.
  ///
  /// It is not copied, unless it has an `id`.
  func element(of state: inout State?) -> ScopeElement? { state.reduceIfPresent { element($0) } }

  private static func id(_ child: some Identifiable) -> AnySendableHashable {
    AnySendableHashable(child.id)
  }
}
