internal import AppCore

/// A connection: one effect receives messages while it is open, and others send them.
struct Socket: Feature {
  struct State: Codable, Sendable, Equatable {
    enum Connection: Codable, Sendable { case closed, opening, open }
    @Presented var alert: AlertState<Never>?
    var connection = Connection.closed
    var draft = ""
    var received: [String] = []
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case connectTapped, draftChanged(String), sendTapped }
    enum Internal: Sendable, Equatable { case arrived(EchoServer.Event), failed(String) }
    case view(View)
    case `internal`(Internal)
    case alert(PresentationAction<Never>)
  }
  private enum CancelID { case connection }
  @Dependency(EchoServer.self) var server

  func initialState(_ arguments: NoArguments) -> State { State() }

  // The connection did not survive the restart, whatever the restored state says.
  func didRestore(_ state: inout State) -> Effect<Action> {
    state.connection = .closed
    return .none
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.connectTapped) where state.connection == .closed:
        state.connection = .opening
        return .run { send in
          for await event in await server.open() { await send(.internal(.arrived(event))) }
        }
        .cancellable(id: CancelID.connection)
      case .view(.connectTapped), .internal(.arrived(.closed)):
        state.connection = .closed
        return .cancel(id: CancelID.connection)
      case .view(.draftChanged(let text)):
        state.draft = text
      case .view(.sendTapped):
        let text = state.draft
        state.draft = ""
        return .run { _ in
          try await server.send(text)
        } catch: { error, send in
          await send(.internal(.failed("\(error)")))
        }
      case .internal(.arrived(.opened)):
        state.connection = .open
        state.received = []
      case .internal(.arrived(.message(let text))):
        state.received.append(text)
      case .internal(.failed(let reason)):
        state.alert = AlertState { "Not sent: \(reason)" }
      case .alert: break
      }
      return .none
    }
    .ifLet(\.$alert, action: /Action.alert)
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Socket") { screen in
      if screen.alert(state.alert, /Action.alert) { return }
      screen.button(
        state.connection == .closed ? "Connect" : "Disconnect", id: "connect",
        action: .connectTapped)
      screen.field("Message", id: "message", text: state.draft) { .draftChanged($0) }
      screen.button("Send", id: "send", action: .sendTapped)
      screen.section("Received, \(state.connection)") { screen in
        screen.list(state.received, placeholder: "nothing") { Row($0) }
      }
    }
  }
}
