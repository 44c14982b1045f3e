/// A state that is presented until it has been answered: any of its actions dismisses it.
///
/// `ifLet` removes it: a presented one after the parent has handled the action, and one in a plain
/// optional before that.
public protocol EphemeralState {
  /// The actions that its buttons send.
  associatedtype Action = Any
}

extension EphemeralState {
  static var actionType: Any.Type { Action.self }
}

// For children without a reducer: alerts and dialogs.
extension Reducer {
  /// Dismisses an alert or a dialog when one of its buttons is pressed.
  ///
  /// This reducer handles the button's action first, while the alert is still presented. An enum of
  /// several destinations works as well, if the other cases need no reducer either.
  ///
  /// ```swift
  /// struct Notes: Reducer {
  ///   struct State { @Presented var alert: AlertState<Alert>? }
  ///   enum Alert: Equatable, Sendable { case confirmed }
  ///   enum Action: ComponentAction { case alert(PresentationAction<Alert>) }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce<State, Action> { state, action in .none }
  ///       .ifLet(\.$alert, action: /Action.alert)
  ///   }
  /// }
  /// ```
  public func ifLet<ChildState, ChildAction>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    ifLet(
      state, action: action, child: { EmptyReducer<ChildState, ChildAction>() }, fileID: fileID,
      line: line)
  }
  /// Dismisses an alert or a dialog in a plain optional when one of its buttons is pressed.
  ///
  /// It is gone when this reducer handles the button's action.
  ///
  /// ```swift
  /// struct Notes: Reducer {
  ///   struct State { var alert: AlertState<Alert>? }
  ///   enum Alert: Equatable, Sendable { case confirmed }
  ///   enum Action: ComponentAction { case alert(PresentationAction<Alert>) }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce<State, Action> { state, action in .none }
  ///       .ifLet(\.alert, action: /Action.alert)
  ///   }
  /// }
  /// ```
  public func ifLet<ChildState: EphemeralState, ChildAction: Sendable>(
    _ state: WritableKeyPath<State, ChildState?>,
    action: CasePath<Action, ChildAction>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> CombineReducers<State, Action> {
    ifLet(
      state, action: action, child: { EmptyReducer<ChildState, ChildAction>() }, fileID: fileID,
      line: line)
  }
}
