/// An instance's state in a copy-on-write box.
///
/// Plugins rely on a box with a state's `type` being a ``StateBox`` of that type.
@_fixed_layout
@usableFromInline
class AnyStateBox: @unchecked Sendable {
  // Unchecked: states are Sendable, and a box is written only while it is uniquely referenced.
  @usableFromInline let type: ObjectIdentifier

  @usableFromInline
  init(_ type: ObjectIdentifier) { self.type = type }

  /// The box as one of a state of this type; traps if the state is of another type.
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
  // Written only through a unique reference, to which the writer has exclusive access.
  @exclusivity(unchecked) @usableFromInline var state: State

  @usableFromInline
  init(_ state: State) {
    self.state = state
    super.init(ObjectIdentifier(State.self))
  }
}
