/// An instance's state, behind one reference that is shared until it is written.
///
/// Plugins rely on one whose `type` is a state's being a ``StateBox`` of it.
@_fixed_layout
@usableFromInline
class AnyStateBox: @unchecked Sendable {
  // Unchecked: states are Sendable, and a box is written only while it is uniquely referenced.
  @usableFromInline let type: ObjectIdentifier

  @usableFromInline
  init(_ type: ObjectIdentifier) { self.type = type }

  /// The box, whose state must be of this type.
  @inlinable
  func typed<State>(_ type: State.Type) -> StateBox<State> {
    precondition(
      self.type == ObjectIdentifier(State.self),
      "a state of another feature was handed to the one with \(State.self)")
    return unsafeDowncast(self, to: StateBox<State>.self)
  }
}

@_fixed_layout
@usableFromInline
final class StateBox<State>: AnyStateBox, @unchecked Sendable {
  // Written only through the one reference there is, which is held exclusively then.
  @exclusivity(unchecked) @usableFromInline var state: State

  @usableFromInline
  init(_ state: State) {
    self.state = state
    super.init(ObjectIdentifier(State.self))
  }
}
