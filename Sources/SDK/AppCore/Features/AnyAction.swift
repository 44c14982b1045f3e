/// An action whose type its own feature knows.
public struct AnyAction: Sendable {
  @usableFromInline package let box: ActionBox

  @usableFromInline
  init(box: ActionBox) { self.box = box }

  /// The action, which must be of this type.
  @inlinable
  package func typed<Action: Sendable>(_ type: Action.Type) -> Action {
    precondition(
      box.type == ObjectIdentifier(Action.self),
      "an action of another feature was handed to the one with \(Action.self)")
    return unsafeDowncast(box, to: ActionBoxOf<Action>.self).action
  }
}

/// Holds an action on the heap.
@usableFromInline
package class ActionBox: @unchecked Sendable {
  // Unchecked: actions are Sendable, and a box is never written.
  @usableFromInline let type: ObjectIdentifier

  @usableFromInline
  init(_ type: ObjectIdentifier) { self.type = type }
}

@usableFromInline
final class ActionBoxOf<Action: Sendable>: ActionBox, @unchecked Sendable {
  @usableFromInline let action: Action

  @usableFromInline
  init(_ action: Action) {
    self.action = action
    super.init(ObjectIdentifier(Action.self))
  }
}

extension Effect {
  /// The same effect, its actions' type hidden.
  @usableFromInline
  func erased() -> Effect<AnyAction> { map { AnyAction(box: ActionBoxOf($0)) } }
}
