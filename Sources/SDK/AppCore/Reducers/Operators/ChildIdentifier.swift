/// Distinguishes children of one type that are not presented, by their `id` if they have one.
struct ChildIdentifier<State> {
  private let identifiable = State.self as? any Identifiable.Type

  /// The identity of a child.
  func element(_ state: State) -> ScopeElement {
    guard identifiable != nil, let child = state as? any Identifiable else { return .only }
    return .identified(Self.id(child))
  }

  /// The identity of a child; `nil` if there is none.
  ///
  /// The state is copied only if it has an `id`.
  func element(of state: inout State?) -> ScopeElement? { state.reduceIfPresent { element($0) } }

  private static func id(_ child: some Identifiable) -> AnySendableHashable {
    AnySendableHashable(child.id)
  }
}
