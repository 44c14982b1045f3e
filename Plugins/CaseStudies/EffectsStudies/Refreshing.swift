internal import AppCore

/// Shows the old value and a progress indicator while a newer value is being fetched.
///
/// A test waits for the end of the effect with `await store.send(.refreshTapped).finish()`.
struct Refreshing: Feature {
  struct State: Codable, Sendable, Equatable {
    var count = 0
    var fact: String?
    var isRefreshing = false
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable {
      case decrementTapped, incrementTapped, refreshTapped, cancelTapped
    }
    enum Internal: Sendable, Equatable { case fetched(String), failed }
    case view(View)
    case `internal`(Internal)
  }
  private enum CancelID { case fetch }
  @Dependency(NumberFact.self) var numberFact

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.decrementTapped): state.count -= 1
    case .view(.incrementTapped): state.count += 1
    case .view(.refreshTapped):
      state.isRefreshing = true
      return fetch(state.count)
    case .view(.cancelTapped):
      state.isRefreshing = false
      return .cancel(id: CancelID.fetch)
    case .internal(.fetched(let fact)):
      state.fact = fact
      state.isRefreshing = false
    case .internal(.failed):
      state.isRefreshing = false
    }
    return .none
  }

  /// Restarts a fetch that was running when the app ended.
  func didRestore(_ state: inout State) -> Effect<Action> {
    state.isRefreshing ? fetch(state.count) : .none
  }

  private func fetch(_ count: Int) -> Effect<Action> {
    .run { send in
      await send(.internal(.fetched(try await numberFact.fetch(count))))
    } catch: { _, send in
      await send(.internal(.failed))
    }
    .cancellable(id: CancelID.fetch, cancelInFlight: true)
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Refreshing") { screen in
      screen.text(
        state.fact ?? "Nothing fetched yet.", style: state.isRefreshing ? .secondary : .plain)
      screen.text("The next fact is about \(state.count).")
      screen.button("Decrement", id: "decrement", action: .decrementTapped)
      screen.button("Increment", id: "increment", action: .incrementTapped)
      screen.button("Refresh", id: "refresh", action: .refreshTapped)
      if state.isRefreshing {
        screen.progress("Refreshing", id: "cancel", cancelAction: .cancelTapped)
      }
    }
  }
}
