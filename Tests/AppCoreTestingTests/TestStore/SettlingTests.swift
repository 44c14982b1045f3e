import AppCore
import AppCoreTesting
import Foundation
import Testing

/// What a test does finds its effects settled, however the machine is loaded.
///
/// Each form is run as often as `APPCORE_RACES` says; `scripts/races.sh` runs them 10,000 times.
@MainActor
@Suite("TestStore waits for effects", .timeLimit(.minutes(30)))
struct SettlingTests {
  private static let runs =
    ProcessInfo.processInfo.environment["APPCORE_RACES"].flatMap { Int($0) } ?? 20

  /// Asks for facts in several ways.
  struct Facts: Reducer {
    /// What is asked; never on the main actor.
    var ask: @Sendable (Int) async throws -> String

    struct State: Equatable {
      var number = 7
      var isLoading = false
      var fact: String?
    }

    enum Action: ComponentAction, Equatable {
      case askTapped, resultTapped
      case told(String)
      case answered(String?)
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .askTapped:
        let number = state.number
        return .run { [ask] send in await send(.told(try await ask(number))) }
      case .resultTapped:
        state.isLoading = true
        state.fact = nil
        return .run { [ask, number = state.number] send in
          await send(.answered(try? await ask(number)))
        }
      case .told(let fact): state.fact = fact
      case .answered(let fact):
        state.isLoading = false
        state.fact = fact
      }
      return .none
    }
  }

  private func store(
    _ clock: TestClock = TestClock(),
    _ ask: @escaping @Sendable (Int) async throws -> String = { "\($0)" }
  ) -> TestStoreOf<Facts> {
    TestStore(initialState: Facts.State()) {
      Facts(ask: ask)
    } withDependencies: {
      $0.clock = clock.appClock
    }
  }

  @Test("A mock with three suspensions has answered when 'send' returns")
  func yields() async {
    for _ in 0..<Self.runs {
      let store = store { number in
        for _ in 0..<3 { await Task.yield() }
        return "\(number)"
      }
      await store.send(.askTapped)
      await store.skipReceivedActions()
      store.assert { $0.fact = "7" }
    }
  }

  @Test("A fact that is asked for at once is there, and the effect has ended")
  func fact() async {
    for _ in 0..<Self.runs {
      let store = store { "\($0) is a good number" }
      let task = await store.send(.resultTapped) { $0.isLoading = true }
      await store.receive(.answered("7 is a good number"), timeout: .zero) {
        $0.isLoading = false
        $0.fact = "7 is a good number"
      }
      await task.finish(timeout: .zero)
    }
  }

  @Test("An effect that waits for a stream keeps neither 'send' nor 'advance'")
  func stream() async {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let clock = TestClock(timeout: .seconds(3600))
    let store = TestStore(initialState: Facts.State()) {
      Reduce<Facts.State, Facts.Action> { state, action in
        switch action {
        case .askTapped:
          return .run { send in for await fact in stream { await send(.told(fact)) } }
        case .told(let fact): state.fact = fact
        case .resultTapped: return .timer(every: .seconds(1), .answered(nil))
        case .answered: state.number += 1
        }
        return .none
      }
    } withDependencies: {
      $0.clock = clock.appClock
    }
    store.timeout = .seconds(3600)
    let listening = await store.send(.askTapped)
    let ticking = await store.send(.resultTapped)
    for number in 8...17 {
      await clock.advance(by: .seconds(1))
      await store.receive(.answered(nil)) { $0.number = number }
    }
    continuation.yield("news")
    await store.receive(.told("news")) { $0.fact = "news" }
    continuation.finish()
    await listening.finish()
    await ticking.cancel()
  }

  @Test("Work that keeps a thread busy is waited for")
  func busy() async {
    let store = store { number in
      var hash = Hasher()
      for index in 0..<200_000 { hash.combine(index) }
      return hash.finalize() == 0 ? "" : "\(number)"
    }
    await store.send(.askTapped)
    await store.receive(.told("7"), timeout: .zero) { $0.fact = "7" }
  }

  @Test("No time at all is waited for on the clock, as any other")
  func noTime() async throws {
    let clock = TestClock()
    let sleeper = Task { try await clock.appClock.sleep(for: .zero) }
    while clock.sleeperCount == 0 { await Task.yield() }
    await clock.advance(by: .zero)
    try await sleeper.value
    // A moment that has passed is not waited for.
    await clock.advance(by: .seconds(2))
    try await clock.appClock.sleep(until: .seconds(1))
  }
}
