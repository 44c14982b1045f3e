/// An action whose type only its feature knows.
@frozen
public struct AnyAction: Sendable {
  @usableFromInline let box: ActionBox

  init(box: ActionBox) { self.box = box }

  init(_ action: some Sendable) { box = ActionBoxOf(action) }

  /// The action as a value of this type; traps if it is of another type.
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

  /// The action as a value of this type, unchecked.
  @inlinable
  func unchecked<Action: Sendable>(_ type: Action.Type) -> Action {
    unsafeDowncast(box, to: ActionBoxOf<Action>.self).action
  }
}

@_spi(Host)
extension AnyAction {
  /// The action for people to read; secrets are redacted.
  public var text: String { box.line }

  /// The action's address, for referring to it without retaining it.
  public var address: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(box).toOpaque())
  }

  /// The action at an address; the caller ensures that it is still retained.
  public init(at address: UnsafeRawPointer) {
    self.init(box: Unmanaged<ActionBox>.fromOpaque(address).takeUnretainedValue())
  }
}

/// Holds an action on the heap.
///
/// Plugins rely on a box with an action's `type` being an ``ActionBoxOf`` that type.
@_fixed_layout
@usableFromInline
class ActionBox: @unchecked Sendable {
  // Unchecked: actions are Sendable, and a box is never written.
  @usableFromInline let type: ObjectIdentifier

  @usableFromInline
  init(_ type: ObjectIdentifier) { self.type = type }

  /// The action for people to read; secrets are redacted.
  ///
  /// The box itself knows the action's type: the feature may have been replaced since.
  var line: String { "an action" }

  var actionType: Any.Type { Never.self }

  /// The number of its case; `cases` must be those of its type.
  func number(in cases: ActionCases) -> Int { 0 }

  /// The action in structural form; `nil` where a part of it has none.
  func coded(for purpose: ValueEncoder.Purpose) throws -> Value? { nil }
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

  override var actionType: Any.Type { Action.self }

  override func number(in cases: ActionCases) -> Int { cases.number(of: action) }

  override func coded(for purpose: ValueEncoder.Purpose) throws -> Value? {
    try ActionCoding.encode(action, for: purpose)
  }
}
