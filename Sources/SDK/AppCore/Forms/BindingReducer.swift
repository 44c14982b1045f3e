/// The view actions of a screen with a form: see ``BindingAction``.
public protocol BindableAction: Codable, Sendable {
  /// The state whose properties the form's fields change.
  associatedtype State

  /// The action of every field that is bound to a property.
  static func binding(_ action: BindingAction<State>) -> Self
}

/// Applies the changes of a form's fields to the state.
///
/// Put it first in a body, so that the reducers after it see the new values. Add
/// ``Reducer/onChange(of:_:)`` to respond to the change of a property.
///
/// ```swift
/// struct Volume: Reducer {
///   struct State: Codable, Sendable { var volume = 5, changes = 0 }
///   enum Action: FeatureAction {
///     enum View: BindableAction { case binding(BindingAction<State>) }
///     case view(View)
///   }
///
///   var body: some ReducerOf<Self> {
///     BindingReducer()
///       .onChange(of: { $0.volume }) { old, new in
///         Reduce { state, _ in
///           state.changes += 1
///           return .none
///         }
///       }
///   }
/// }
/// ```
public struct BindingReducer<State, Action: FeatureAction>: Reducer
where Action.View: BindableAction, Action.View.State == State {
  private let path: CasePath<Action, BindingAction<State>>

  /// Creates the reducer.
  public init() {
    path = CasePath(Action.view).appending(CasePath(Action.View.binding))
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    path.extract(action)?.apply(to: &state)
    return .none
  }
}
