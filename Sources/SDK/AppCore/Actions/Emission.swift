/// What an effect may send: an internal action of its feature, or a delegate action.
///
/// It has no other usable constructors, so `.send(.view(.tapped))` does not compile: put logic that
/// view actions and effects share into a method that both call.
public struct Emission<Action: FeatureAction>: Sendable {
  let action: Action

  /// An action to the feature itself.
  public static func `internal`(_ action: Action.Internal) -> Self {
    Self(action: .internal(action))
  }

  /// An action to the graph, or to the parent that composed the feature.
  public static func delegate(_ action: Action.Delegate) -> Self {
    Self(action: .delegate(action))
  }
}

extension Emission {
  /// Makes the compiler reject a view action with a message that says what to do instead.
  @available(
    *, unavailable,
    message: """
      effects send internal and delegate actions only; put what they share with a view action into \
      a method that returns an Effect, and call it from both
      """
  )
  public static func view(_ action: Action.View) -> Self { Self(action: .view(action)) }

  /// Makes the compiler reject an input action with a message that says what to do instead.
  @available(
    *, unavailable,
    message: """
      effects send internal and delegate actions only; an input action is made by a route, from \
      another feature's delegate action
      """
  )
  public static func input(_ action: Action.Input) -> Self { Self(action: .input(action)) }
}
