/// An action whose type only its feature knows.
@frozen
public struct AnyAction: Sendable {
  @usableFromInline let box: ActionBox

  @usableFromInline
  init(box: ActionBox) { self.box = box }

  init(held box: ActionBox) { self.box = box }

  /// The action, which must be of this type.
  @inlinable
  func typed<Action: Sendable>(_ type: Action.Type) -> Action {
    precondition(
      box.type == ObjectIdentifier(Action.self),
      "an action of another feature was handed to the one with \(Action.self)")
    return unsafeDowncast(box, to: ActionBoxOf<Action>.self).action
  }

  /// Whether the action is of this type; one of a former build of the same feature is not.
  @inlinable
  func isOf<Action: Sendable>(_ type: Action.Type) -> Bool {
    box.type == ObjectIdentifier(Action.self)
  }

  /// The action, which is known to be of this type.
  @inlinable
  func unchecked<Action: Sendable>(_ type: Action.Type) -> Action {
    unsafeDowncast(box, to: ActionBoxOf<Action>.self).action
  }
}

/// Holds an action on the heap.
///
/// Plugins rely on one whose `type` is an action's being an ``ActionBoxOf`` of it.
@_fixed_layout
@usableFromInline
class ActionBox: @unchecked Sendable {
  // Unchecked: actions are Sendable, and a box is never written.
  @usableFromInline let type: ObjectIdentifier

  @usableFromInline
  init(_ type: ObjectIdentifier) { self.type = type }

  /// The action for people to read; secrets are redacted.
  ///
  /// It knows its own type: its feature may have been replaced since.
  var line: String { "an action" }

  /// The number of its case; `cases` must be those of its type.
  func number(in cases: ActionCases) -> Int { 0 }
}

@_fixed_layout
@usableFromInline
final class ActionBoxOf<Action: Sendable>: ActionBox, @unchecked Sendable {
  @usableFromInline let action: Action

  @usableFromInline
  init(_ action: Action) {
    self.action = action
    super.init(ObjectIdentifier(Action.self))
  }

  override var line: String { StateDump.line(action) }

  override func number(in cases: ActionCases) -> Int { cases.number(of: action) }
}

extension Effect {
  /// The same effect, its actions' type hidden.
  @usableFromInline
  func erased() -> Effect<AnyAction> { map { AnyAction(box: ActionBoxOf($0)) } }
}
