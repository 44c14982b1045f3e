/// What a feature has done with an action that the host passed to it.
@frozen
public enum FeatureOutcome {
  /// It was reduced, and its effect is this.
  case reduced(Effect<AnyAction>)
  /// It is a delegate action, which is for the graph; it changed nothing here.
  case delegate
  /// It is an action of an earlier build; it changed nothing.
  case foreign
}

/// Reduces an action of a feature: the only function that runs for each action.
@frozen
@usableFromInline
struct FeatureStep {
  // In a struct: a bare function would be reabstracted by every generic function that it passes
  // through.
  @usableFromInline let run: (inout AnyStateBox, AnyAction) -> FeatureOutcome

  @usableFromInline
  init(run: @escaping (inout AnyStateBox, AnyAction) -> FeatureOutcome) { self.run = run }
}

/// The step of `feature`.
///
/// It is compiled into the plugin, where the feature's types are known. In this module every value
/// would be copied through its witness table, and every type looked up for each action.
@inlinable
func featureStep<F: Feature>(of feature: F) -> FeatureStep {
  let boundary = ActionBoundary(F.Action.self)
  let run = feature.assemble().whole
  return FeatureStep { state, action in
    guard action.isOf(F.Action.self) else { return .foreign }
    let action = action.unchecked(F.Action.self)
    if boundary.isDelegate(action) { return .delegate }
    if !isKnownUniquelyReferenced(&state) { state = StateBox(state.typed(F.State.self).state) }
    let effect = run(&state.typed(F.State.self).state, action)
    return .reduced(effect.isNone ? .none : effect.erased())
  }
}
