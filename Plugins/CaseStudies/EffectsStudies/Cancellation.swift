internal import AppCore

/// An effect that is cancelled by its identifier: by a button, or when its result is obsolete.
struct Cancellation: Feature {
  struct State: Codable, Sendable, Equatable {
    var count = 0
    var fact: String?
    var isFetching = false
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable {
      case decrementTapped, incrementTapped, factTapped, cancelTapped
    }
    enum Internal: Sendable, Equatable { case fetched(String), failed(String) }
    case view(View)
    case `internal`(Internal)
  }
  private enum CancelID { case fetch }
  @Dependency(NumberFact.self) var numberFact

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.decrementTapped): return change(&state, by: -1)
    case .view(.incrementTapped): return change(&state, by: 1)
    case .view(.factTapped):
      state.fact = nil
      state.isFetching = true
      return fetch(state.count)
    case .view(.cancelTapped):
      state.isFetching = false
      return .cancel(id: CancelID.fetch)
    case .internal(.fetched(let text)), .internal(.failed(let text)):
      state.fact = text
      state.isFetching = false
      return .none
    }
  }

  /// Restarts a fetch that was running when the app ended.
  func didRestore(_ state: inout State) -> Effect<Action> {
    state.isFetching ? fetch(state.count) : .none
  }

  private func fetch(_ count: Int) -> Effect<Action> {
    .run { send in
      await send(.internal(.fetched(try await numberFact.fetch(count))))
    } catch: { error, send in
      await send(.internal(.failed("\(error)")))
    }
    .cancellable(id: CancelID.fetch, cancelInFlight: true)
  }

  private func change(_ state: inout State, by difference: Int) -> Effect<Action> {
    state = State(count: state.count + difference)
    return .cancel(id: CancelID.fetch)
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Cancellation") { screen in
      screen.text("The number is \(state.count).")
      screen.button("Decrement", id: "decrement", action: .decrementTapped)
      screen.button("Increment", id: "increment", action: .incrementTapped)
      screen.button("Get a fact", id: "fact", action: .factTapped)
      screen.button("Cancel", id: "cancel", action: .cancelTapped)
      if state.isFetching { screen.progress("Getting a fact") }
      if let fact = state.fact { screen.text(fact) }
    }
  }
}
