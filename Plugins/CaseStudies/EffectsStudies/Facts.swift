internal import AppCore

/// Effects that do work and send its result.
///
/// One fetches a fact. Another raises a count below zero after a second, unless the user does so
/// first.
struct Facts: Feature {
  struct State: Codable, Sendable, Equatable {
    var count = 0
    var fact: String?
    var isFetching = false
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case decrementTapped, incrementTapped, factTapped }
    enum Internal: Sendable, Equatable { case waited, fetched(String), failed(String) }
    case view(View)
    case `internal`(Internal)
  }
  private enum CancelID { case wait }
  @Dependency(\.clock) var clock
  @Dependency(NumberFact.self) var numberFact

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.decrementTapped):
      state.count -= 1
      state.fact = nil
      guard state.count < 0 else { return .none }
      return wait
    case .view(.incrementTapped):
      state.count += 1
      state.fact = nil
      return state.count < 0 ? .none : .cancel(id: CancelID.wait)
    case .view(.factTapped):
      state.fact = nil
      state.isFetching = true
      return fetch(state.count)
    case .internal(.waited):
      if state.count < 0 { state.count += 1 }
    case .internal(.fetched(let text)), .internal(.failed(let text)):
      state.fact = text
      state.isFetching = false
    }
    return .none
  }

  /// Restarts the effects that were running when the app ended.
  func didRestore(_ state: inout State) -> Effect<Action> {
    .merge(state.count < 0 ? wait : .none, state.isFetching ? fetch(state.count) : .none)
  }

  private var wait: Effect<Action> {
    .run { send in
      try await clock.sleep(for: .seconds(1))
      await send(.internal(.waited))
    }
    .cancellable(id: CancelID.wait)
  }

  private func fetch(_ count: Int) -> Effect<Action> {
    .run { send in
      await send(.internal(.fetched(try await numberFact.fetch(count))))
    } catch: { error, send in
      await send(.internal(.failed("\(error)")))
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Facts") { screen in
      screen.text("The number is \(state.count).")
      screen.button("Decrement", id: "decrement", action: .decrementTapped)
      screen.button("Increment", id: "increment", action: .incrementTapped)
      screen.button("Get a fact", id: "fact", action: .factTapped)
      if state.isFetching { screen.progress("Getting a fact") }
      if let fact = state.fact { screen.text(fact) }
    }
  }
}
