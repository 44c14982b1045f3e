import AppCore

/// A parent with a child of each kind.
struct Editors: Feature {
  struct State: Codable, Sendable, Equatable {
    @Presented var search: Search.State?
    var tally = Tally.State()
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable { case openTapped }
    enum Internal: Sendable { case unused }
    case view(View)
    case `internal`(Internal)
    case search(PresentationAction<Search.Action>)
    case tally(Tally.Action)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    Scope(state: \.tally, action: /Action.tally) { Tally() }
    Reduce<State, Action> { state, action in
      switch action {
      case .view(.openTapped): state.search = Search.State()
      case .search(.presented(.delegate(.closed))): state.search = nil
      default: break
      }
      return .none
    }
    .ifLet(\.$search, action: /Action.search) { Search() }
  }

  func screen(_ state: State) -> Screen<Action> { Screen("Editors") { _ in } }
}

/// A component: it counts, and tells in time.
struct Tally: Reducer {
  @Dependency(\.clock) var clock

  struct State: Codable, Sendable, Equatable { var count = 0 }

  enum Action: ComponentAction, Equatable { case add, addLater, added(Int) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add: state.count += 1
    case .addLater:
      let clock = clock
      return .run { send in
        try await clock.sleep(for: .seconds(1))
        await send(.added(2))
      }
    case .added(let number): state.count += number
    }
    return .none
  }
}
