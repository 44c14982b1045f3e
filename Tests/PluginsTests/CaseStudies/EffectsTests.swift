import AppCore
import AppCoreTesting
import Testing

@testable import EffectsStudies

@MainActor
@Suite("The studies of effects")
struct EffectsTests {
  private struct Nothing: Error, CustomStringConvertible { let description = "nothing known" }

  /// A study whose facts come from the table, which takes its time.
  private func slowly<Study: Feature>(
    _ clock: TestClock, _ study: () -> Study
  ) throws -> TestStoreOf<Study> where Study.Arguments == NoArguments {
    try TestStore(arguments: NoArguments(), feature: study) {
      $0.clock = clock.appClock
      $0[NumberFact.self] = .liveValue
    }
  }

  @Test("A fact is fetched, or there is a reason why not")
  func facts() async throws {
    let store = try TestStore(arguments: NoArguments()) {
      Facts()
    } withDependencies: {
      $0[NumberFact.self] = NumberFact { number in
        guard number > 0 else { throw Nothing() }
        return "\(number) is a number"
      }
    }
    await store.send(.factTapped) { $0.isFetching = true }
    await store.receive(.internal(.failed("nothing known"))) {
      $0.fact = "nothing known"
      $0.isFetching = false
    }
    await store.send(.incrementTapped) {
      $0.count = 1
      $0.fact = nil
    }
    await store.send(.factTapped) { $0.isFetching = true }
    await store.receive(.internal(.fetched("1 is a number"))) {
      $0.fact = "1 is a number"
      $0.isFetching = false
    }
    await store.send(.decrementTapped) {
      $0.count = 0
      $0.fact = nil
    }
  }

  @Test("A count below zero is corrected after a second, unless that has been done by hand")
  func correction() async throws {
    let clock = TestClock()
    let store = try TestStore(arguments: NoArguments()) {
      Facts()
    } withDependencies: {
      $0.clock = clock.appClock
    }
    await store.send(.decrementTapped) { $0.count = -1 }
    await clock.advance(by: .seconds(1))
    await store.receive(.internal(.waited)) { $0.count = 0 }
    await store.send(.decrementTapped) { $0.count = -1 }
    await clock.advance(by: .milliseconds(999))
    await store.send(.incrementTapped) { $0.count = 0 }
    await clock.advance(by: .seconds(1))
  }

  @Test("The table takes a second for each fact, and does not know every number")
  func table() async throws {
    let clock = TestClock()
    let store = try slowly(clock) { Cancellation() }
    await store.send(.factTapped) { $0.isFetching = true }
    await clock.advance(by: .seconds(1))
    await store.receive(/Cancellation.Action.Internal.fetched) {
      $0.fact = "0 is the only number that can't be divided by."
      $0.isFetching = false
    }
    await store.send(.decrementTapped) {
      $0.count = -1
      $0.fact = nil
    }
    await store.send(.factTapped) { $0.isFetching = true }
    await clock.advance(by: .seconds(1))
    await store.receive(/Cancellation.Action.Internal.failed) {
      $0.fact = "Nothing is known about -1."
      $0.isFetching = false
    }
  }

  @Test("A fact that is not wanted any more does not arrive")
  func cancellation() async throws {
    let clock = TestClock()
    let store = try slowly(clock) { Cancellation() }
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
    let store = try TestStore(arguments: NoArguments()) {
      Timers()
    } withDependencies: {
      $0.clock = clock.appClock
    }
    await store.didRestore()
    await store.send(.toggleTapped) { $0.isRunning = true }
    await clock.advance(by: .seconds(2))
    await store.receive(.internal(.ticked)) { $0.seconds = 1 }
    await store.receive(.internal(.ticked)) { $0.seconds = 2 }
    await store.send(.toggleTapped) { $0.isRunning = false }
    await clock.advance(by: .seconds(2))

    let restored = TestStore(initialState: Timers.State(isRunning: true, seconds: 7)) {
      Timers()
    } withDependencies: {
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
    func store<F: Feature>(_ state: F.State, _ feature: F) -> TestStoreOf<F>
    where F.State: Equatable {
      TestStore(initialState: state) {
        feature
      } withDependencies: {
        $0.clock = clock.appClock
        $0[NumberFact.self] = NumberFact { "about \($0)" }
      }
    }
    let facts = store(Facts.State(count: -1, isFetching: true), Facts())
    await facts.didRestore()
    await facts.receive(.internal(.fetched("about -1"))) {
      $0.fact = "about -1"
      $0.isFetching = false
    }
    await clock.advance(by: .seconds(1))
    await facts.receive(.internal(.waited)) { $0.count = 0 }
    await facts.didRestore()
    let fetching = store(Cancellation.State(count: 3, isFetching: true), Cancellation())
    await fetching.didRestore()
    await fetching.receive(.internal(.fetched("about 3"))) {
      $0.fact = "about 3"
      $0.isFetching = false
    }
    let refreshing = store(Refreshing.State(count: 4, isRefreshing: true), Refreshing())
    await refreshing.didRestore()
    await refreshing.receive(.internal(.fetched("about 4"))) {
      $0.fact = "about 4"
      $0.isRefreshing = false
    }
    await refreshing.didRestore()
  }

  @Test("Visitors are counted from the start to the end of the screen")
  func longLiving() async throws {
    let (visitors, continuation) = AsyncStream<Duration>.makeStream()
    let store = try TestStore(arguments: NoArguments()) {
      LongLiving()
    } withDependencies: {
      $0[Door.self] = Door { visitors }
    }
    let watching = await store.didStart()
    continuation.yield(.zero)
    await store.receive(.internal(.arrived)) { $0.visitors = 1 }
    continuation.yield(.zero)
    await store.receive(.internal(.arrived)) { $0.visitors = 2 }
    await watching.cancel()
    continuation.yield(.zero)
  }

  @Test("The old fact stays until the new one is there, or can't be fetched")
  func refreshing() async throws {
    let store = try TestStore(arguments: NoArguments()) {
      Refreshing()
    } withDependencies: {
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
    let store = try slowly(clock) { Refreshing() }
    await store.send(.refreshTapped) { $0.isRefreshing = true }
    await store.send(.cancelTapped) { $0.isRefreshing = false }
    await clock.advance(by: .seconds(1))
  }

  @Test("A sent message comes back while the connection is open")
  func socket() async throws {
    let store = try TestStore(arguments: NoArguments()) {
      Socket()
    } withDependencies: {
      $0[EchoServer.self] = .inProcess()
    }
    await store.send(.connectTapped) { $0.connection = .opening }
    await store.receive(.internal(.arrived(.opened))) { $0.connection = .open }
    await store.send(.draftChanged("Hi")) { $0.draft = "Hi" }
    await store.send(.sendTapped) { $0.draft = "" }
    await store.receive(.internal(.arrived(.message("Hi")))) { $0.received = ["Hi"] }
    await store.send(.connectTapped) { $0.connection = .closed }
    await store.send(.sendTapped)
    await store.receive(.internal(.failed("connect first"))) {
      $0.alert = AlertState { "Not sent: connect first" }
    }
    await store.send(/Socket.Action.alert, .dismiss) { $0.alert = nil }
  }

  @Test("The server ends the connection after a farewell; one that was open is not after a crash")
  func farewell() async throws {
    let store = try TestStore(arguments: NoArguments()) {
      Socket()
    } withDependencies: {
      $0[EchoServer.self] = .inProcess()
    }
    await store.send(.connectTapped) { $0.connection = .opening }
    await store.receive(.internal(.arrived(.opened))) { $0.connection = .open }
    await store.send(.draftChanged("bye")) { $0.draft = "bye" }
    await store.send(.sendTapped) { $0.draft = "" }
    await store.receive(.internal(.arrived(.message("bye")))) { $0.received = ["bye"] }
    await store.receive(.internal(.arrived(.closed))) { $0.connection = .closed }
    await store.finish()

    let restored = TestStore(initialState: Socket.State(connection: .open)) { Socket() }
    await restored.didRestore { $0.connection = .closed }
  }
}
