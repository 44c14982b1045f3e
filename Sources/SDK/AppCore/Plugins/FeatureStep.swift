/// The result of an action.
@frozen
@usableFromInline
struct FeatureOutcome {
  /// The effect of the action.
  let effect: Effect<AnyAction>
  /// What happened to the action.
  let kind: Kind

  @usableFromInline
  enum Kind: Sendable {
    case reduced
    /// A delegate action, which is for the graph; it was not reduced.
    case delegate
    /// An action of another type, from a former build of the feature; it was not reduced.
    case foreign
  }

  @usableFromInline
  init(effect: Effect<AnyAction>, _ kind: Kind) {
    self.effect = effect
    self.kind = kind
  }
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
  let boundary = ActionBoundary<F.Action>()
  let run = feature.assemble().whole
  return FeatureStep { state, action in
    guard action.isOf(F.Action.self) else { return FeatureOutcome(effect: .none, .foreign) }
    let action = action.unchecked(F.Action.self)
    if boundary.isDelegate(action) { return FeatureOutcome(effect: .none, .delegate) }
    if !isKnownUniquelyReferenced(&state) { state = StateBox(state.typed(F.State.self).state) }
    let effect = run(&state.typed(F.State.self).state, action)
    return FeatureOutcome(effect: effect.isNone ? .none : effect.erased(), .reduced)
  }
}
