/// A feature whose types are known to its own plugin only.
///
/// The host hands states and actions back in as it got them. Subclassed once, by
/// `FeatureRuntime`.
package class AnyFeatureRuntime {
  /// Answers an action; a delegate action is left as it is.
  package let step: FeatureStep

  init(step: FeatureStep) { self.step = step }

  package func makeState(_ arguments: Value) throws -> AnyStateBox { unreachable() }
  package func didStart(_ state: inout AnyStateBox) -> Effect<AnyAction> { unreachable() }
  package func screen(_ state: AnyStateBox) -> AnyScreen { unreachable() }
  /// The delegate action that `action` is; `nil` for the other kinds.
  package func delegate(of action: AnyAction) throws -> DelegateEvent? { unreachable() }
  package func input(_ name: String, payload: Value) throws -> AnyAction { unreachable() }
  /// The delegate action of the case `name`: what a test lets a feature say.
  package func delegate(_ name: String, payload: Value) throws -> AnyAction { unreachable() }
  package func encode(_ state: AnyStateBox, for purpose: ValueEncoder.Purpose) throws -> Value {
    unreachable()
  }
  package func decode(_ state: Value) throws -> AnyStateBox { unreachable() }
  /// Whether a state is of the feature's type.
  package func isOwn(_ state: AnyStateBox) -> Bool { unreachable() }
  /// A state as it goes over to another build.
  package func carry(_ state: AnyStateBox) throws -> CarriedState { unreachable() }
  /// A state that comes from another build; it may be asked for again.
  package func take(over state: CarriedState) throws -> AnyStateBox { unreachable() }
  /// A state with the defaults of the fields that it lacks.
  package func completed(_ state: Value) -> Value { unreachable() }
  /// What another version encoded, in this one's form.
  package func migrate(_ old: Value, from version: String) throws -> Value { unreachable() }
  /// The effects an instance goes on with after its plugin was replaced.
  package func didRestore(_ state: inout AnyStateBox) -> Effect<AnyAction> { unreachable() }
  /// The effects an instance ends with, because it is removed or the app ends.
  package func willEnd(_ state: inout AnyStateBox) -> Effect<AnyAction> { unreachable() }

  private func unreachable() -> Never {
    fatalError("\(Self.self) does not implement what a feature's runtime must")
  }
}

/// A delegate action as the graph sees it.
package struct DelegateEvent: Hashable, Sendable {
  /// The case's name.
  package let name: String
  /// What `$` refers to.
  package let payload: Value
}

/// A screen with its responses, its action type hidden.
package struct AnyScreen {
  package let content: ScreenContent
  package let action: (_ control: Int, _ input: ControlInput) -> AnyAction?
  package let back: AnyAction?
}
