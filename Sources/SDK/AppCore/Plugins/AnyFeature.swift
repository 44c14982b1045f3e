/// A feature whose types only its plugin knows.
///
/// The host passes states and actions back unchanged. ``LoadedFeature`` documents the members.
protocol AnyFeature: AnyObject {
  var info: FeatureInfo { get }

  func makeState(_ arguments: Value) throws -> AnyStateBox
  /// Reduces an action, unless it is a delegate action or from another build.
  func take(_ state: inout AnyStateBox, _ action: AnyAction) -> TakenAction
  func didStart(_ state: inout AnyStateBox) -> Effect<AnyAction>
  func didRestore(_ state: inout AnyStateBox) -> Effect<AnyAction>
  func willEnd(_ state: inout AnyStateBox) -> Effect<AnyAction>
  func screen(_ state: AnyStateBox) -> ErasedScreen
  func delegate(of action: AnyAction) throws -> DelegateEvent?
  func input(_ name: String, payload: Value) throws -> AnyAction
  func delegate(_ name: String, payload: Value) throws -> AnyAction
  /// The action of its structural form; `nil` where a part of it has none.
  func action(_ coded: Value) throws -> AnyAction?
  func encode(_ state: AnyStateBox, for purpose: ValueEncoder.Purpose) throws -> Value
  func decode(_ state: Value) throws -> AnyStateBox
  /// `state`, with the defaults of missing fields if the state's type is ``Defaulted``.
  func completed(_ state: Value) -> Value
  /// Whether a state is of the type that this build of the feature has.
  func isOwn(_ state: AnyStateBox) -> Bool
  /// Decodes a state that another build has encoded for carrying it over.
  func take(over state: Value) throws -> AnyStateBox
  /// Converts a state that another version has encoded to the form of this version.
  func migrate(_ old: Value, from version: String) throws -> Value
}

/// A delegate action as the graph sees it.
struct DelegateEvent: Hashable, Sendable {
  /// The case's name.
  let name: String
  /// The value of `$`.
  let payload: Value
}
