internal import AppCore

/// A value from an external source: one effect keeps it up to date, and others only read it.
struct Readers: Feature {
  struct State: Codable, Sendable, Equatable {
    @Shared(.inMemory("temperature")) var temperature = 20
    var display = Display.State()
  }
  enum Action: FeatureAction { case display(Display.Action) }
  @Dependency(Thermometer.self) var thermometer

  func initialState(_ arguments: NoArguments) -> State { State() }

  func didStart(_ state: inout State) -> Effect<Action> {
    .merge(
      .run { [temperature = state.$temperature] _ in
        for await reading in thermometer.readings() { temperature.withLock { $0 = reading } }
      },
      Display.follow(state.display).map(/Action.display))
  }

  func didRestore(_ state: inout State) -> Effect<Action> { didStart(&state) }

  var body: some ReducerOf<Self> {
    Scope(state: \.display, action: /Action.display) { Display() }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Readers") { $0.embed(Display().screen(state.display), /Action.display) }
  }
}

/// Shows the value, and observes it to find its maximum.
struct Display: Reducer {
  struct State: Codable, Sendable, Equatable {
    @SharedReader(.inMemory("temperature")) var temperature = 20
    var highest: Int?
  }
  enum Action: FeatureAction, Equatable {
    enum Internal: Sendable, Equatable { case changed(Int) }
    case `internal`(Internal)
  }

  static func follow(_ state: State) -> Effect<Action> {
    .run { [values = state.$temperature.values] send in
      for await value in values { await send(.internal(.changed(value))) }
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .internal(.changed(let value)) = action {
      state.highest = max(value, state.highest ?? value)
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Temperature") { screen in
      screen.text("It is \(state.temperature) °C.")
      if let highest = state.highest { screen.text("The highest so far was \(highest) °C.") }
    }
  }
}

/// Measures the temperature every second.
struct Thermometer: DependencyKey {
  var readings: @Sendable () -> any AsyncSequence<Int, Never> & Sendable

  static let liveValue = Thermometer {
    @Dependency(\.clock) var clock
    return clock.timer(interval: .seconds(1)).map { 21 + Int($0.components.seconds % 3) }
  }
}
