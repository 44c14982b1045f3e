import Testing

@_spi(Host) @testable import AppCore

@Home
@Suite("Tools for dependencies")
struct DependencyToolTests {
  private struct Stock: DependencyKey {
    var count: @Sendable (_ article: String) async throws -> Int
    var name: @Sendable () -> String
    static let liveValue = Stock(count: { _ in 0 }, name: { "" })
    static let testValue = Stock(
      count: unimplemented("Stock.count"), name: unimplemented("Stock.name", placeholder: "?"))
  }

  @Test("A function that is not implemented reports its name, and throws or returns a placeholder")
  func notImplemented() async {
    let reports = await reported {
      await #expect(throws: UnimplementedError(description: "Stock.count")) {
        try await Stock.testValue.count("tea")
      }
      #expect(Stock.testValue.name() == "?")
    }
    #expect(
      reports.map { $0.prefix { $0 != "\n" } } == [
        "'Stock.count' is not implemented in this test",
        "'Stock.name' is not implemented in this test",
      ])
  }

  @Test("The immediate clock advances to the end of each sleep")
  func immediate() async throws {
    let clock = AppClock.immediate
    try await clock.sleep(for: .seconds(5))
    try await clock.sleep(until: .seconds(60))
    #expect(clock.now == .seconds(60))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A timer gives the moments until its task is cancelled; it has a positive interval")
  func timer() async {
    var moments: [Duration] = []
    for await moment in AppClock.immediate.timer(interval: .seconds(2)) {
      moments.append(moment)
      if moments.count == 3 { break }
    }
    #expect(moments == [.seconds(2), .seconds(4), .seconds(6)])
    let reports = await reported {
      for await _ in AppClock.immediate.timer(interval: .zero) { moments.append(.zero) }
    }
    #expect(moments.count == 3)
    #expect(reports.count == 1)
  }

  @Test("A closure that is called without dependencies has those that were taken along")
  func escaped() async {
    let call = withDependencies {
      $0.date.now = Instant(secondsSinceEpoch: 7)
    } operation: {
      withEscapedDependencies { dependencies in
        { @Sendable in
          dependencies.yield { DependencyValues.current.date.now }
        }
      }
    }
    let seconds = await Task.detached { call() }.value
    #expect(seconds == Instant(secondsSinceEpoch: 7))
  }

  @Test("A body takes reducers whose types are known only when the app runs")
  func existential() {
    let parts: [any Reducer<Int, Note>] = [1, 10].map { number in
      Reduce<Int, Note> { state, _ in
        state += number
        return .none
      }
    }
    let store = Store(
      initialState: 0, reducer: CombineReducers<Int, Note> { for part in parts { part } })
    store.send(.go)
    #expect(store.state == 11)
  }

  @Test("A store has dependencies of its own; an observer says itself what counts as a change")
  func ownDependencies() {
    struct State {
      var now = Instant(secondsSinceEpoch: 0)
      var taps = 0
    }
    let store = Store(initialState: State(), isolation: Home.shared) {
      Reduce<State, Note> { state, _ in
        @Dependency(\.date) var date
        (state.now, state.taps) = (date.now, state.taps + 1)
        return .none
      }
    } withDependencies: {
      $0.date.now = Instant(secondsSinceEpoch: 3)
    }
    var seen: [Int] = []
    let observation = store.observe({ $0 }, removeDuplicates: { $0.taps / 2 == $1.taps / 2 }) {
      seen.append($0.taps)
    }
    for _ in 0..<4 { store.send(.go) }
    #expect(store.state.now == Instant(secondsSinceEpoch: 3))
    #expect(seen == [2, 4])
    observation.cancel()
  }
}
