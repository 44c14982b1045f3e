internal import AppCore

/// Loads a child's data, and then presents the child.
struct LoadThenPresent: Feature {
  struct State: Codable, Sendable, Equatable {
    @Presented var counter: Counter.State?
    var isLoading = false
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case loadTapped }
    enum Internal: Sendable, Equatable { case loaded }
    case view(View)
    case `internal`(Internal)
    case counter(PresentationAction<Counter.Action>)
  }
  @Dependency(\.clock) var clock

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.loadTapped):
        state.isLoading = true
        return load
      case .internal(.loaded): state = State(counter: Counter.State())
      case .counter: break
      }
      return .none
    }
    .ifLet(\.$counter, action: /Action.counter) { Counter() }
  }

  /// Restarts a load that was running when the app ended.
  func didRestore(_ state: inout State) -> Effect<Action> { state.isLoading ? load : .none }

  private var load: Effect<Action> {
    .run { send in
      try await clock.sleep(for: .seconds(1))
      await send(.internal(.loaded))
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Load, then present") { screen in
      if screen.embed(state.counter, /Action.counter, screen: Counter().screen) {
        return screen.dismissButton("Close", id: "close", /Action.counter)
      }
      screen.button("Load a counter", id: "load", isEnabled: !state.isLoading, action: .loadTapped)
      if state.isLoading { screen.progress("Loading") }
    }
  }
}
