import AppCore
import AppCoreTesting
import Testing

@Suite("The closure of an assertion")
@MainActor
struct AssertionClosureTests {
  private struct Pages: Reducer {
    struct State: Equatable {
      var path: StackState<Mode> = []
      var openedAt = Instant(secondsSinceEpoch: 0)
    }
    enum Mode: Equatable { case page(Int), note(String) }
    enum Action: ComponentAction { case opened(Mode) }
    @Dependency(\.date.now) var now

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .opened(let mode):
        state.path.append(mode)
        state.openedAt = now
        return .none
      }
    }
  }

  @Test("A closure of an assertion puts elements on a stack by their identifiers")
  func missingElements() async {
    let noon = Instant(secondsSinceEpoch: 43_200)
    let store = TestStore(initialState: Pages.State(openedAt: noon)) {
      Pages()
    } withDependencies: {
      $0.date.now = noon
    }
    await store.send(.opened(.page(1))) { $0.path[id: 0] = .page(1) }
    await store.send(.opened(.note("a"))) { $0.path[id: 1, case: /Mode.note] = "a" }
    let wrong = await failures {
      await store.send(.opened(.page(3))) { $0.path[id: 3] = .page(3) }
    }
    #expect(wrong.count == 1)
    #expect(wrong.first?.contains("-     #3: .page(") == true, "\(wrong)")
    #expect(store.state.path.ids == [0, 1, 2])
  }

  private typealias Mode = Pages.Mode

  @Test("A store has the dependencies around it, and so has the closure of an assertion")
  func surroundingDependencies() async {
    let noon = Instant(secondsSinceEpoch: 43_200)
    await withDependencies {
      $0.date.now = noon
    } operation: {
      let store = TestStore(initialState: Pages.State()) { Pages() }
      #expect(store.dependencies.context == .test)
      await store.send(.opened(.page(1))) {
        $0.path.append(.page(1))
        $0.openedAt = noon
      }
    }
    let evening = Instant(secondsSinceEpoch: 72_000)
    let store = withDependencies {
      $0.date.now = noon
      $0.uuid = .incrementing
    } operation: {
      TestStore(initialState: Pages.State()) {
        Pages()
      } withDependencies: {
        $0.date.now = evening
      }
    }
    func expect(_ state: inout Pages.State) {
      @Dependency(\.date.now) var now
      @Dependency(\.uuid) var uuid
      state.openedAt = now
      state.path.append(.note(uuid().description))
    }
    let note = UniqueIDGenerator.incrementing().description
    await store.send(.opened(.note(note)), assert: expect)
    #expect(store.state.openedAt == evening)
    store.assert {
      @Dependency(\.date.now) var now
      #expect(now == evening)
      $0.openedAt = now
    }
  }
}
