/// A state that is presented until it was answered once: any action of it lets it go.
///
/// `ifLet` lets go of it after the parent has answered the action.
public protocol EphemeralState {
  /// What its buttons send.
  associatedtype Action = Any
}

extension EphemeralState {
  static var actionType: Any.Type { Action.self }
}

/// The reducers of a child that has none: an alert, a dialog.
extension Reducer {
  /// Lets go of an alert or a dialog once one of its buttons was pressed.
  ///
  /// This reducer sees the button's action first, while the alert is still there. An enum of
  /// several destinations does as well, where the others need no reducer either.
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
  ///
  /// - Parameters:
  ///   - state: the alert.
  ///   - action: the case with the alert's actions.
  ///   - fileID: where the operator is written.
  ///   - line: where the operator is written.
  /// - Returns: both reducers.
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
}
