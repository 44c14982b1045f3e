/// A feature whose types only its plugin knows.
///
/// The host passes states and actions back unchanged. ``LoadedFeature`` documents the members.
protocol AnyFeature: AnyObject {
  var info: FeatureInfo { get }

  func makeState(_ arguments: Value) throws -> AnyStateBox
  /// Answers an action; a delegate action is left as it is.
  func take(_ state: inout AnyStateBox, _ action: AnyAction) -> TakenAction
  func didStart(_ state: inout AnyStateBox) -> Effect<AnyAction>
  func didRestore(_ state: inout AnyStateBox) -> Effect<AnyAction>
  func willEnd(_ state: inout AnyStateBox) -> Effect<AnyAction>
  func screen(_ state: AnyStateBox) -> ErasedScreen
  func delegate(of action: AnyAction) throws -> DelegateEvent?
  func input(_ name: String, payload: Value) throws -> AnyAction
  func delegate(_ name: String, payload: Value) throws -> AnyAction
  func encode(_ state: AnyStateBox, for purpose: ValueEncoder.Purpose) throws -> Value
  func decode(_ state: Value) throws -> AnyStateBox
  /// A state with the defaults of the fields that it lacks.
  func completed(_ state: Value) -> Value
  /// Whether a state is of the feature's type.
  func isOwn(_ state: AnyStateBox) -> Bool
  /// A state that another build encoded for taking over.
  func take(over state: Value) throws -> AnyStateBox
  /// What another version encoded, in this one's form.
  func migrate(_ old: Value, from version: String) throws -> Value
}

/// A delegate action as the graph sees it.
struct DelegateEvent: Hashable, Sendable {
  /// The case's name.
  let name: String
  /// What `$` refers to.
  let payload: Value
}
