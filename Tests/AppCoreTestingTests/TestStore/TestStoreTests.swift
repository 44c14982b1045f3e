import AppCore
import AppCoreTesting
import Synchronization
import Testing

@MainActor
@Suite("TestStore")
struct TestStoreTests {
  private func store(
    _ clock: TestClock = TestClock(), _ state: Search.State = Search.State()
  ) -> TestStoreOf<Search> {
    TestStore(initialState: state) {
      Search()
    } withDependencies: {
      $0.clock = clock.appClock
      $0.library = Library { text in
        guard text != "lost" else { throw SearchError.notFound }
        return ["\(text) 1", "\(text) 2"]
      }
    }
  }

  @Test("A feature's whole story, told exhaustively")
  func story() async {
    let clock = TestClock()
    let store = store(clock)
    await store.send(.textChanged("tea")) { $0.text = "tea" }
    await store.send(.searchTapped) { $0.isLoading = true }
    await clock.advance(by: .seconds(1))
    await store.receive(.internal(.loaded(["tea 1", "tea 2"]))) {
      $0.isLoading = false
      $0.found = ["tea 1", "tea 2"]
    }
    await store.send(.closeTapped)
    await store.receive(.delegate(.closed))
    #expect(store.state.text == "tea")
    await store.finish()
  }

  @Test("Actions that are not Equatable are compared part by part, or received by their case")
  func comparisons() async {
    let clock = TestClock()
    let store = store(clock)
    await store.send(.textChanged("lost")) { $0.text = "lost" }
    await store.send(.searchTapped) { $0.isLoading = true }
    await clock.advance(by: .seconds(1))
    await store.receive(.internal(.failed(SearchError.notFound))) { $0.isLoading = false }

    await store.send(.watchTapped)
    await store.receive(/Search.Action.Internal.watched)
    await clock.advance(by: .seconds(1))
    await store.receive(/Search.Action.internal) { $0.ticks = 1 }
    await store.send(.threeTapped)
    await store.receive {
      if case .internal(.ticked) = $0 { true } else { false }
    } assert: {
      $0.ticks = 2
    }
    await store.receive(/Search.Action.Internal.loaded) { $0.found = ["a"] }
    await store.receive(/Search.Action.Delegate.picked)
    await store.send(.stopTapped)
  }

  @Test("The state goes with the assertions, not with the effects")
  func assertedState() async {
    let store = store()
    await store.send(.threeTapped)
    #expect(store.state == Search.State())
    store.assert { $0.ticks = 0 }
    await store.receive(.internal(.ticked)) { $0.ticks = 1 }
    #expect(store.state.found == [])
    await store.receive(.internal(.loaded(["a"]))) { $0.found = ["a"] }
    await store.receive(.delegate(.picked(name: "a")))
  }

  @Test("A feature begins as the graph lets it, and takes a route's input")
  func featureLife() async throws {
    let clock = TestClock()
    let store = try TestStore(arguments: Search.Arguments(text: "ink")) {
      Search()
    } withDependencies: {
      $0.clock = clock.appClock
    }
    store.timeout = .seconds(300)
    #expect(store.state.text == "ink")
    let task = await store.didStart { $0.isLoading = true }
    await clock.advance(by: .seconds(1))
    await task.finish()
    await store.receive(.internal(.loaded(["ink"]))) {
      $0.isLoading = false
      $0.found = ["ink"]
    }
    await store.sendInput(.renamed(to: "pen")) { $0.text = "pen" }
    #expect(throws: SearchError.tooLong) {
      _ = try TestStore(arguments: Search.Arguments(text: "far too long a text")) { Search() }
    }
  }

  @Test("Not exhaustively, a test asserts what it is about")
  func nonExhaustive() async {
    let clock = TestClock()
    let store = store(clock)
    store.exhaustivity = .off
    await store.send(.textChanged("tea"))
    await store.send(.threeTapped)
    await store.receive(/Search.Action.Delegate.picked) { $0.found = ["a"] }
    #expect(store.state.ticks == 1)
    await store.send(.searchTapped)
    await store.send(.watchTapped)
    await store.withExhaustivity(.on) {
      await store.skipReceivedActions()
      await store.send(.textChanged("ink")) { $0.text = "ink" }
    }
  }

  @Test("Skipped assertions are shown on request, and fail nothing")
  func showsSkipped() async {
    let notes = Mutex<[String]>([])
    await withKnownIssue {
      let store = store()
      store.exhaustivity = .off(showSkippedAssertions: true)
      await store.send(.textChanged("tea"))
      await store.send(.threeTapped)
      await store.receive(.delegate(.picked(name: "a")))
      await store.send(.watchTapped)
      await store.skipInFlightEffects()
    } matching: { issue in
      notes.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return issue.severity == .warning
    }
    #expect(
      notes.withLock { $0 } == [
        """
        Not asserted after sending .view(.textChanged("tea")):

              State(
            -   text: "",
            +   text: "tea",
                isLoading: false,
                found: [],
              …
        """,
        """
        Received and not asserted:

            .internal(.ticked)
            .internal(.loaded(["a"]))
        """,
        """
        Effects were cancelled that were started by:

            .view(.watchTapped)
        """,
        """
        Received and not asserted by the test's end:

            .internal(.watched(Handle(close: @Sendable () -> ()())))
        """,
      ])
  }

  /// What fails in `body`, with whether it is only a warning.
  private func failures(_ body: () async -> Void) async -> [(text: String, isWarning: Bool)] {
    let found = Mutex<[(text: String, isWarning: Bool)]>([])
    await withKnownIssue(isIntermittent: true) {
      await body()
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined(separator: "\n")
      found.withLock { $0.append((text, issue.severity == .warning)) }
      return true
    }
    return found.withLock { $0 }
  }

  @Test("Actions that a feature sends to itself are reported with their count, as a warning")
  func sentToItself() async {
    let found = await failures {
      let store = store()
      await store.send(.chainTapped(3))
      await store.skipReceivedActions()
      await store.send(.closeTapped)
      await store.skipReceivedActions()
    }
    #expect(found.map(\.isWarning) == [true])
    #expect(
      found.first?.text.hasPrefix(
        """
        3 actions were sent by the feature to itself:

            .internal(.chained(3))
            .internal(.chained(2))
            .internal(.chained(1))
        """) == true, "\(found)")
    let allowed = await failures {
      let store = store()
      store.sendChainLimit = nil
      await store.send(.chainTapped(10))
      await store.skipReceivedActions()
    }
    #expect(allowed.isEmpty)
  }

  @Test("Through a parent no action of a child is sent but its view actions", arguments: 0..<3)
  func childsActions(number: Int) async {
    let actions: [Search.Action] = [
      .internal(.ticked), .delegate(.closed), .input(.renamed(to: "x")),
    ]
    let kinds = ["an internal", "a delegate", "an input"]
    let found = await failures {
      let store = TestStore(initialState: Editors.State(search: Search.State())) { Editors() }
      await store.send(/Editors.Action.search, .presented(actions[number]))
    }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.text.contains("is \(kinds[number]) action") == true, "\(found)")
  }

  @Test("A difference below many levels is shown without what is around it")
  func deepDifference() async {
    indirect enum Nest: Equatable {
      case end(Int)
      case level(Nest)

      static func around(_ number: Int) -> Nest {
        (0..<60).reduce(.end(number)) { nest, _ in .level(nest) }
      }
    }
    struct Nesting: Reducer {
      enum Action: ComponentAction { case change }
      func reduce(into state: inout Nest, action: Action) -> Effect<Action> {
        state = .around(1)
        return .none
      }
    }
    let found = await failures {
      let store = TestStore(initialState: Nest.around(0)) { Nesting() }
      await store.send(.change) { $0 = .around(2) }
    }
    #expect(found.first?.text.contains("-     2\n") == true, "\(found)")
    #expect(found.first?.text.contains("+     1\n") == true, "\(found)")
  }

  @Test("Values are compared part by part, and dumped without secrets")
  func differences() {
    let (old, new) = (Tally.State(count: 1), Tally.State(count: 2))
    expectNoDifference(old, old)
    #expect(diff(old, old) == nil)
    #expect(
      diff(old, new) == """
          State(
        -   count: 1
        +   count: 2
          )
        """)
    #expect(String(customDumping: Secret("x")) == "<secret>")
    #expect(customDump(old) == old)
    withKnownIssue {
      expectNoDifference(new, old, "after loading")
    } matching: { issue in
      issue.comments.map(\.rawValue) == [
        """
        The values differ: after loading

              State(
            -   count: 1
            +   count: 2
              )

        (expected: -, actual: +)
        """
      ]
    }
  }

  @Test("A test that is not on the main actor uses it with 'await'")
  nonisolated func elsewhere() async {
    let store = await TestStore(initialState: Tally.State()) { Tally() }
    await store.send(.add) { $0.count = 1 }
    #expect(await store.state.count == 1)
  }

  @Test("A store that the test lets go of is gone, with its effects")
  func lifetime() async {
    weak var weakStore: TestStoreOf<Search>?
    do {
      let store = store()
      weakStore = store
      await store.send(.watchTapped)
      await store.skipReceivedActions()
      await store.skipInFlightEffects()
    }
    #expect(weakStore == nil)
  }
}
