import AppCore
import AppCoreTesting
import Testing

/// What `docs/coming-from-tca.md` says is different.
@MainActor
@Suite("Differences from TCA")
struct TCADifferenceTests {
  /// Ticks until it leaves.
  private struct Ticker: Reducer {
    struct State: Equatable {
      var name: String
      var ticks = 0
    }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case startTapped, leaveTapped }
      enum Internal: Equatable, Sendable { case ticked }
      case view(View)
      case `internal`(Internal)
    }
    @Dependency(\.clock) var clock
    @Dependency(\.dismiss) var dismiss

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .view(.startTapped):
        return .run { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.internal(.ticked)) }
        }
      case .view(.leaveTapped): return .run { _ in await dismiss() }
      case .internal(.ticked):
        state.ticks += 1
        return .none
      }
    }
  }

  /// Presents another child as soon as one leaves.
  private struct Relay: Reducer {
    struct State: Equatable { @Presented var ticker: Ticker.State? = Ticker.State(name: "old") }
    enum Action: ComponentAction { case ticker(PresentationAction<Ticker.Action>) }

    var body: some ReducerOf<Self> {
      Reduce<State, Action> { state, action in
        if case .ticker(.dismiss) = action { state.ticker = Ticker.State(name: "new") }
        return .none
      }
      .ifLet(\.$ticker, action: /Action.ticker) { Ticker() }
    }
  }

  @Test(
    "A parent that assigns a new child while the old one is being dismissed keeps the new one",
    arguments: [false, true])
  func childOfDismissal(byParent: Bool) async {
    let clock = TestClock()
    let store = TestStore(initialState: Relay.State()) {
      Relay()
    } withDependencies: {
      $0.clock = clock.appClock
    }
    await store.send(.ticker(.presented(.view(.startTapped))))
    #expect(clock.sleeperCount == 1)
    if byParent {
      await store.send(.ticker(.dismiss)) { $0.ticker = Ticker.State(name: "new") }
    } else {
      await store.send(.ticker(.presented(.view(.leaveTapped))))
      await store.receive(.ticker(.dismiss)) { $0.ticker = Ticker.State(name: "new") }
    }
    // The old one's effects have ended, and the new one works.
    #expect(clock.sleeperCount == 0)
    await store.send(.ticker(.presented(.view(.startTapped))))
    await clock.advance(by: .seconds(1))
    await store.receive(.ticker(.presented(.internal(.ticked)))) { $0.ticker?.ticks = 1 }
    await store.skipInFlightEffects()
  }

  @Test("'skipInFlightEffects' cancels the effects")
  func skippedEffects() async {
    let clock = TestClock()
    let store = TestStore(initialState: Ticker.State(name: "a")) {
      Ticker()
    } withDependencies: {
      $0.clock = clock.appClock
    }
    await store.send(.startTapped)
    await store.skipInFlightEffects()
    #expect(clock.sleeperCount == 0)
    await clock.advance(by: .seconds(3))
    await store.finish(timeout: .zero)
    #expect(store.state.ticks == 0)
    // It skips only what was running.
    await store.send(.startTapped)
    await clock.advance(by: .seconds(1))
    await store.receive(.internal(.ticked)) { $0.ticks = 1 }
    await store.skipInFlightEffects()
  }

  @Test("'scope' returns a new store each time, of the same root")
  func scopedStores() {
    let store = Store(initialState: Editors.State(), isolation: MainActor.shared) { Editors() }
    let one = store.scope(state: \.tally, action: /Editors.Action.tally)
    let other = store.scope(state: \.tally, action: /Editors.Action.tally)
    #expect(one !== other)
    one.send(.add)
    other.send(.add)
    #expect([one.state.count, other.state.count, store.state.tally.count] == [2, 2, 2])
  }
}
