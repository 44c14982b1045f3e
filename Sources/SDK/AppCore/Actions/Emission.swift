/// What an effect may send: an internal action of its feature, or a delegate action.
///
/// It has no other constructors, so `.send(.view(.tapped))` does not compile: what view actions have
/// in common with effects belongs into a method that both call.
public struct Emission<Action: FeatureAction>: Sendable {
  package let action: Action

  /// An action to the feature itself.
  public static func `internal`(_ action: Action.Internal) -> Self {
    Self(action: .internal(action))
  }

  /// An action to the graph, or to the parent that composed the feature.
  public static func delegate(_ action: Action.Delegate) -> Self {
    Self(action: .delegate(action))
  }
}
