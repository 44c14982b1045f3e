import AppCore
import AppCoreTesting
import Testing

@testable import EffectsStudies

@MainActor
@Suite("The studies of effects")
struct EffectsTests {
  private struct Nothing: Error, CustomStringConvertible { let description = "nothing known" }

  /// A store of a study whose facts come from the table, which takes its time.
  private func slowly<F: Feature>(_ clock: TestClock, _ study: F) throws -> TestStoreOf<F>
  where F.Arguments == NoArguments, F.State: Equatable {
    try studyStore(of: study) {
      $0.clock = clock.appClock
      $0[NumberFact.self] = .liveValue
    }
  }

  @Test("A count below zero is corrected after a second, unless that has been done by hand")
  func correction() async throws {
    let clock = TestClock()
    let store = try studyStore(of: Facts()) { $0.clock = clock.appClock }
    await store.send(.decrementTapped) { $0.count = -1 }
    await clock.advance(by: .seconds(1))
    await store.receive(.internal(.waited)) { $0.count = 0 }
    await store.send(.decrementTapped) { $0.count = -1 }
    await clock.advance(by: .milliseconds(999))
    await store.send(.incrementTapped) { $0.count = 0 }
    await clock.advance(by: .seconds(1))
  }

  @Test("A fact that is not wanted any more does not arrive")
  func cancellation() async throws {
    let clock = TestClock()
    let store = try slowly(clock, Cancellation())
    await store.send(.factTapped) { $0.isFetching = true }
    await store.send(.cancelTapped) { $0.isFetching = false }
    await clock.advance(by: .seconds(1))
    await store.send(.factTapped) { $0.isFetching = true }
    await store.send(.incrementTapped) {
      $0.count = 1
      $0.isFetching = false
    }
    await clock.advance(by: .seconds(1))
    await store.send(.factTapped) { $0.isFetching = true }
    await clock.advance(by: .milliseconds(500))
    // Asked again, it begins again.
    await store.send(.factTapped)
    await clock.advance(by: .milliseconds(500))
    await clock.advance(by: .milliseconds(500))
    await store.receive(/Cancellation.Action.Internal.fetched) {
      $0.fact = "1 is the only number with one divisor."
      $0.isFetching = false
    }
  }

  @Test("A timer ticks until it is stopped, and continues after a crash")
  func timers() async throws {
    let clock = TestClock()
    let store = try studyStore(of: Timers()) { $0.clock = clock.appClock }
    await store.didRestore()
    await store.send(.toggleTapped) { $0.isRunning = true }
    await clock.advance(by: .seconds(2))
    await store.receive(.internal(.ticked)) { $0.seconds = 1 }
    await store.receive(.internal(.ticked)) { $0.seconds = 2 }
    await store.send(.toggleTapped) { $0.isRunning = false }
    await clock.advance(by: .seconds(2))

    let restored = try studyStore(of: Timers(), in: Timers.State(isRunning: true, seconds: 7)) {
      $0.clock = clock.appClock
    }
    let ticking = await restored.didRestore()
    await clock.advance(by: .seconds(1))
    await restored.receive(.internal(.ticked)) { $0.seconds = 8 }
    await ticking.cancel()
  }

  @Test("What was running when the app ended runs again")
  func restored() async throws {
    let clock = TestClock()
    func restored<F: Feature>(_ study: F, _ state: F.State) throws -> TestStoreOf<F>
    where F.Arguments == NoArguments, F.State: Equatable {
      try studyStore(of: study, in: state) {
        $0.clock = clock.appClock
        $0[NumberFact.self] = NumberFact { "about \($0)" }
      }
    }
    let facts = try restored(Facts(), Facts.State(count: -1, isFetching: true))
    await facts.didRestore()
    await facts.receive(.internal(.fetched("about -1"))) {
      $0.fact = "about -1"
      $0.isFetching = false
    }
    await clock.advance(by: .seconds(1))
    await facts.receive(.internal(.waited)) { $0.count = 0 }
    await facts.didRestore()
    let fetching = try restored(Cancellation(), Cancellation.State(count: 3, isFetching: true))
    await fetching.didRestore()
    await fetching.receive(.internal(.fetched("about 3"))) {
      $0.fact = "about 3"
      $0.isFetching = false
    }
    let refreshing = try restored(Refreshing(), Refreshing.State(count: 4, isRefreshing: true))
    await refreshing.didRestore()
    await refreshing.receive(.internal(.fetched("about 4"))) {
      $0.fact = "about 4"
      $0.isRefreshing = false
    }
    await refreshing.didRestore()
    // A connection is not open any more.
    let socket = try restored(Socket(), Socket.State(connection: .open))
    await socket.didRestore { $0.connection = .closed }
  }

  @Test("The old fact stays until the new one is there, or can't be fetched")
  func refreshing() async throws {
    let store = try studyStore(of: Refreshing()) {
      $0[NumberFact.self] = NumberFact { number in
        guard number < 2 else { throw Nothing() }
        return "\(number) is a number"
      }
    }
    await store.send(.incrementTapped) { $0.count = 1 }
    await store.send(.refreshTapped) { $0.isRefreshing = true }.finish()
    await store.receive(.internal(.fetched("1 is a number"))) {
      $0.fact = "1 is a number"
      $0.isRefreshing = false
    }
    await store.send(.incrementTapped) { $0.count = 2 }
    await store.send(.refreshTapped) { $0.isRefreshing = true }.finish()
    await store.receive(.internal(.failed)) { $0.isRefreshing = false }
    await store.send(.decrementTapped) { $0.count = 1 }
  }

  @Test("A refresh that is cancelled leaves the old fact")
  func cancelledRefresh() async throws {
    let clock = TestClock()
    let store = try slowly(clock, Refreshing())
    await store.send(.refreshTapped) { $0.isRefreshing = true }
    await store.send(.cancelTapped) { $0.isRefreshing = false }
    await clock.advance(by: .seconds(1))
  }
}
