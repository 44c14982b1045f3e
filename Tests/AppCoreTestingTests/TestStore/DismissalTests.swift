import AppCore
import AppCoreTesting
import Testing

@MainActor
@Suite("TestStore ends a child that dismisses itself")
struct DismissalTests {
  /// Records for three seconds, and then closes by itself.
  private struct Recorder: Reducer {
    struct State: Equatable { var seconds = 0 }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case recordTapped, closeTapped }
      enum Internal: Equatable, Sendable { case ticked }
      enum Delegate: Codable, Equatable, Sendable { case recorded(Int) }
      case view(View)
      case `internal`(Internal)
      case delegate(Delegate)
    }
    @Dependency(\.clock) var clock
    @Dependency(\.dismiss) var dismiss

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .view(.recordTapped):
        return .run { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.internal(.ticked)) }
        }
      case .internal(.ticked):
        state.seconds += 1
        return state.seconds == 3 ? close(state) : .none
      case .view(.closeTapped): return close(state)
      case .delegate: return .none
      }
    }

    private func close(_ state: State) -> Effect<Action> {
      .run { [seconds = state.seconds] send in
        await send(.delegate(.recorded(seconds)))
        await dismiss()
        // Nobody is there any more.
        await send(.internal(.ticked))
      }
    }
  }

  private func store(
    _ clock: TestClock, _ prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<Recorder> {
    TestStore(initialState: Recorder.State()) {
      Recorder()
    } withDependencies: {
      $0.clock = clock.appClock
      prepare(&$0)
    }
  }

  @Test("'dismiss' cancels the effects, and the clock has no sleeper left")
  func effects() async {
    for _ in 0..<20 {
      let clock = TestClock()
      let store = store(clock)
      let task = await store.send(.recordTapped)
      await clock.advance(by: .seconds(4))
      #expect(store.isDismissed)
      #expect(clock.sleeperCount == 0)
      for second in 1...3 { await store.receive(.internal(.ticked)) { $0.seconds = second } }
      await store.receive(.delegate(.recorded(3)), timeout: .zero)
      await task.finish(timeout: .zero)
      await clock.run()
      await store.finish(timeout: .zero)
    }
  }

  @Test("It also does if the test says what dismisses")
  func ownDismissal() async {
    await confirmation { dismissed in
      let clock = TestClock()
      let store = store(clock) { $0.dismiss = DismissEffect { dismissed() } }
      await store.send(.recordTapped)
      await store.send(.closeTapped)
      #expect(clock.sleeperCount == 0)
      #expect(store.isDismissed)
      await store.receive(.delegate(.recorded(0)))
      await store.finish(timeout: .zero)
    }
  }

  @Test("A child that is not presented, as a test can say, goes on")
  func notPresented() async {
    let clock = TestClock()
    let store = store(clock) { $0.dismiss = DismissEffect(nil) }
    let task = await store.send(.recordTapped)
    await withKnownIssue { await store.send(.closeTapped) }
    #expect(!store.isDismissed)
    #expect(clock.sleeperCount == 1)
    await store.receive(.delegate(.recorded(0)))
    await store.receive(.internal(.ticked)) { $0.seconds = 1 }
    await task.cancel()
    #expect(task.isCancelled)
  }
}
