/// A message that the user has to read or confirm first, as part of a state.
///
/// It is state, so that a test sees it and its text can depend on what the feature knows. It is
/// presented like a child, and is dismissed automatically when one of its buttons is pressed:
/// `ifLet` without a child's reducer removes it after the parent has handled the action.
///
/// ```swift
/// struct Notes: Reducer {
///   struct State { @Presented var alert: AlertState<Alert>? }
///   enum Alert: Equatable, Sendable { case deleteConfirmed }
///   enum Action: ComponentAction {
///     case deleteTapped
///     case alert(PresentationAction<Alert>)
///   }
///
///   var body: some ReducerOf<Self> {
///     Reduce<State, Action> { state, action in
///       switch action {
///       case .deleteTapped:
///         state.alert = AlertState {
///           "Delete all notes?"
///         } actions: {
///           ButtonState("Delete", role: .destructive, action: .deleteConfirmed)
///           ButtonState.cancel()
///         } message: {
///           "They do not come back."
///         }
///       case .alert(.presented(.deleteConfirmed)): break  // delete them
///       case .alert(.dismiss): break
///       }
///       return .none
///     }
///     .ifLet(\.$alert, action: /Action.alert)
///   }
/// }
/// ```
public struct AlertState<Action>: EphemeralState {
  /// The question or statement.
  public var title: String
  /// Further text; empty for none.
  public var message: String
  /// Its buttons, in order.
  public var buttons: [ButtonState<Action>]

  /// Creates an alert; if it has no buttons, its screen has one that dismisses it.
  public init(
    title: () -> String,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: () -> String = { "" }
  ) {
    self.title = title()
    self.message = message()
    buttons = actions()
  }
}

extension AlertState: Sendable where Action: Sendable {}
extension AlertState: Equatable where Action: Equatable {}
extension AlertState: Hashable where Action: Hashable {}
extension AlertState: Encodable where Action: Encodable {}
extension AlertState: Decodable where Action: Decodable {}
