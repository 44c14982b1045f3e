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
    /// It is a delegate action, which is for the graph; it was not reduced.
    case delegate
    /// It is of another type than the feature's: of a former build of it. It was not reduced.
    case foreign
  }

  @usableFromInline
  init(effect: Effect<AnyAction>, _ kind: Kind) {
    self.effect = effect
    self.kind = kind
  }
}

/// Answers one action of a feature: the one function that runs for each of them.
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
/// It compiles into the plugin, where the feature's types are known: in here every value would be
/// copied through its witness table, and every type looked up for each action.
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
