/// A choice between actions, as part of a state; it is presented and dismissed like an
/// ``AlertState``.
///
/// ```swift
/// struct Sorting: Reducer {
///   struct State {
///     @Presented var dialog: ConfirmationDialogState<Order>?
///     var order = Order.byName
///   }
///   enum Order: Equatable, Sendable { case byName, bySize }
///   enum Action: ComponentAction {
///     case sortTapped
///     case dialog(PresentationAction<Order>)
///   }
///
///   var body: some ReducerOf<Self> {
///     Reduce<State, Action> { state, action in
///       switch action {
///       case .sortTapped:
///         state.dialog = ConfirmationDialogState {
///           "Sort by"
///         } actions: {
///           ButtonState("Name", action: .byName)
///           ButtonState("Size", action: .bySize)
///         }
///       case .dialog(.presented(let order)): state.order = order
///       case .dialog(.dismiss): break
///       }
///       return .none
///     }
///     .ifLet(\.$dialog, action: /Action.dialog)
///   }
/// }
/// ```
public struct ConfirmationDialogState<Action>: EphemeralState {
  /// The question or statement.
  public var title: String
  /// Further text; empty for none.
  public var message: String
  /// Its buttons, in order.
  public var buttons: [ButtonState<Action>]

  /// Creates a dialog; if none of its buttons cancels, its screen has one more that does.
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

extension ConfirmationDialogState: Sendable where Action: Sendable {}
extension ConfirmationDialogState: Equatable where Action: Equatable {}
extension ConfirmationDialogState: Hashable where Action: Hashable {}
extension ConfirmationDialogState: Encodable where Action: Encodable {}
extension ConfirmationDialogState: Decodable where Action: Decodable {}
