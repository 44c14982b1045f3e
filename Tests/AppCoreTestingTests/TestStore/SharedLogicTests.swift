import AppCore
import AppCoreTesting
import Testing

/// A feature whose actions share what they do.
struct Forecast: Feature {
  struct State: Codable, Sendable, Equatable {
    var isLoading = false
    var degrees: [Int] = []
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable { case refreshTapped, weekTapped, oddRefreshTapped }
    enum Internal: Sendable, Equatable { case loaded(Int), refreshRequested }
    case view(View)
    case `internal`(Internal)
  }

  /// Shared by actions: changes the state and returns the effect.
  private func refresh(_ state: inout State) -> Effect<Action> {
    state.isLoading = true
    return .run { send in await load(day: 0, send) }
  }

  /// Shared by effects: takes what they send with.
  nonisolated(nonsending) private func load(day: Int, _ send: Send<Action>) async {
    await send(.internal(.loaded(20 + day)))
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.refreshTapped): return refresh(&state)
    case .view(.weekTapped):
      return .merge(
        refresh(&state),
        .run { send in
          for day in 1..<7 { await load(day: day, send) }
        })
    case .internal(.loaded(let degrees)):
      state.isLoading = false
      state.degrees.append(degrees)
      return .none
    // Not like this: another turn of the store, and whatever waits comes between.
    case .view(.oddRefreshTapped): return .send(.internal(.refreshRequested))
    case .internal(.refreshRequested): return refresh(&state)
    }
  }

  func screen(_ state: State) -> Screen<Action> { Screen("Forecast") { _ in } }
}

@MainActor
@Suite("Shared logic")
struct SharedLogicTests {
  @Test("A method that returns an effect, and one that takes a send, are merged and called inside")
  func methods() async {
    let store = TestStore(initialState: Forecast.State()) { Forecast() }
    store.sendChainLimit = 0
    await store.send(.refreshTapped) { $0.isLoading = true }
    await store.receive(.internal(.loaded(20))) {
      $0.isLoading = false
      $0.degrees = [20]
    }
    await store.send(.weekTapped) { $0.isLoading = true }
    await store.receive(.internal(.loaded(20))) {
      $0.isLoading = false
      $0.degrees = [20, 20]
    }
    for day in 1..<7 {
      await store.receive(.internal(.loaded(20 + day))) { $0.degrees.append(20 + day) }
    }
    await store.finish()
  }

  @Test("An action sent to oneself is counted, and fails a test that does not allow it")
  func chain() async {
    await withKnownIssue {
      let store = TestStore(initialState: Forecast.State()) { Forecast() }
      store.sendChainLimit = 0
      await store.send(.oddRefreshTapped)
      await store.skipReceivedActions()
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasPrefix("Effects sent 1 action") }
    }
  }
}
