internal import AppCore

/// Opens a row of a list, loads its data, and writes the result back to the row.
struct NavigateAndLoad: Feature {
  struct State: Codable, Sendable, Equatable {
    struct Row: Codable, Sendable, Equatable, Identifiable {
      let id: Int
      var count: Int
    }
    var rows: IdentifiedArray<Row> = [
      Row(id: 1, count: 1), Row(id: 2, count: 42), Row(id: 3, count: 100),
    ]
    var openedID: Int?
    var counter: Counter.State?
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case rowTapped(Int), closeTapped }
    enum Internal: Sendable, Equatable { case loaded(Int) }
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
      case .view(.rowTapped(let id)):
        state.openedID = id
        return load(state.rows[id: id]?.count ?? 0)
      case .view(.closeTapped):
        if let id = state.openedID, let counter = state.counter {
          state.rows[id: id]?.count = counter.count
        }
        (state.openedID, state.counter) = (nil, nil)
        return .cancel(id: CancelID.load)
      case .internal(.loaded(let count)): state.counter = Counter.State(count: count)
      case .counter: break
      }
      return .none
    }
    .ifLet(\.counter, action: /Action.counter) { Counter() }
  }

  /// Restarts a load that was running when the app ended.
  func didRestore(_ state: inout State) -> Effect<Action> {
    guard let id = state.openedID, state.counter == nil else { return .none }
    return load(state.rows[id: id]?.count ?? 0)
  }

  private func load(_ count: Int) -> Effect<Action> {
    .run { send in
      try await clock.sleep(for: .seconds(1))
      await send(.internal(.loaded(count)))
    }
    .cancellable(id: CancelID.load, cancelInFlight: true)
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Navigate and load", back: state.openedID == nil ? nil : .closeTapped) { screen in
      if let counter = state.counter {
        screen.embed(Counter().screen(counter), /Action.counter)
      } else if state.openedID != nil {
        screen.progress("Loading")
      } else {
        screen.list(state.rows) {
          Row(
            "Counter \($0.id)", detail: "at \($0.count)", id: "\($0.id)", action: .rowTapped($0.id))
        }
      }
    }
  }
}
