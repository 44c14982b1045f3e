internal import AppCore

/// Presents a screen at once, and loads its data meanwhile.
///
/// Closing the screen cancels the load.
struct PresentAndLoad: Feature {
  struct State: Codable, Sendable, Equatable {
    var isPresented = false
    var counter: Counter.State?
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case openTapped, closeTapped }
    enum Internal: Sendable, Equatable { case loaded }
    case view(View)
    case `internal`(Internal)
    case counter(Counter.Action)
  }
  private enum CancelID { case load }
  @Dependency(\.clock) var clock

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.openTapped):
        state.isPresented = true
        return load
      case .view(.closeTapped):
        state = State()
        return .cancel(id: CancelID.load)
      case .internal(.loaded): state.counter = Counter.State()
      case .counter: break
      }
      return .none
    }
    .ifLet(\.counter, action: /Action.counter) { Counter() }
  }

  /// Restarts a load that was running when the app ended.
  func didRestore(_ state: inout State) -> Effect<Action> {
    state.isPresented && state.counter == nil ? load : .none
  }

  private var load: Effect<Action> {
    .run { send in
      try await clock.sleep(for: .seconds(1))
      await send(.internal(.loaded))
    }
    .cancellable(id: CancelID.load)
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Present and load", back: state.isPresented ? .closeTapped : nil) { screen in
      guard state.isPresented else {
        return screen.button("Open a counter", id: "open", action: .openTapped)
      }
      if let counter = state.counter {
        screen.embed(Counter().screen(counter), /Action.counter)
      } else {
        screen.progress("Loading")
      }
      screen.button("Close", id: "close", action: .closeTapped)
    }
  }
}
