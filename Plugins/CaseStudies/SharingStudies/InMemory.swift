internal import AppCore

/// A value in memory that two screens share by its key; this one changes it.
struct InMemoryCounter: Feature {
  struct State: Codable, Sendable, Equatable {
    @Presented var alert: AlertState<Never>?
    @Shared(.inMemory("totals")) var totals = Totals()
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case decrementTapped, incrementTapped, primeTapped }
    case view(View)
    case alert(PresentationAction<Never>)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.decrementTapped): state.$totals.withLock { $0.change(by: -1) }
      case .view(.incrementTapped): state.$totals.withLock { $0.change(by: 1) }
      case .view(.primeTapped):
        let count = state.totals.count
        let isPrime = count > 1 && (2..<count).allSatisfy { count % $0 != 0 }
        state.alert = AlertState { "\(count) is \(isPrime ? "" : "not ")a prime number." }
      case .alert: break
      }
      return .none
    }
    .ifLet(\.$alert, action: /Action.alert)
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Counter") { screen in
      if screen.alert(state.alert, /Action.alert) { return }
      screen.text("The count is \(state.totals.count).")
      screen.button("Decrement", id: "decrement", action: .decrementTapped)
      screen.button("Increment", id: "increment", action: .incrementTapped)
      screen.button("Is it prime?", id: "prime", action: .primeTapped)
    }
  }
}

/// The other screen, which shows all of the value, and resets it.
struct InMemoryTotals: Feature {
  struct State: Codable, Sendable, Equatable {
    @Shared(.inMemory("totals")) var totals = Totals()
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case resetTapped }
    case view(View)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.$totals.withLock { $0 = Totals() }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Totals") { screen in
      screen.keyValues([
        KeyValue("Count", "\(state.totals.count)"), KeyValue("Lowest", "\(state.totals.lowest)"),
        KeyValue("Highest", "\(state.totals.highest)"),
        KeyValue("Changes", "\(state.totals.changes)"),
      ])
      screen.button("Reset", id: "reset", action: .resetTapped)
    }
  }
}
