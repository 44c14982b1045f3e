internal import AppCore

/// A feature made of others: each `Scope` runs a counter on its own part of the state.
struct TwoCounters: Feature {
  struct State: Codable, Sendable, Equatable {
    var first = Counter.State()
    var second = Counter.State()
  }
  enum Action: FeatureAction {
    case first(Counter.Action)
    case second(Counter.Action)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    Scope(state: \.first, action: /Action.first) { Counter() }
    Scope(state: \.second, action: /Action.second) { Counter() }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Two counters") { screen in
      screen.embed(Counter().screen(state.first).titled("First", id: "first"), /Action.first)
      screen.embed(Counter().screen(state.second).titled("Second", id: "second"), /Action.second)
    }
  }
}
