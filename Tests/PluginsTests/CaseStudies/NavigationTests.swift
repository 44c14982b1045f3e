import AppCore
import AppCoreTesting
import Testing

@testable import NavigationStudies

@MainActor
@Suite("The studies of navigation")
struct NavigationTests {
  let clock = TestClock()

  @Test("A counter is loaded while its screen is shown, and not after that is closed")
  func presentAndLoad() async throws {
    let store = try studyStore(of: PresentAndLoad()) { $0.clock = clock.appClock }
    await store.send(.openTapped) { $0.isPresented = true }
    await store.send(.closeTapped) { $0.isPresented = false }
    await clock.advance(by: .seconds(1))
    await store.send(.openTapped) { $0.isPresented = true }
    await clock.advance(by: .seconds(1))
    await store.receive(.internal(.loaded)) { $0.counter = Counter.State() }
    await store.send(/PresentAndLoad.Action.counter, .view(.decrementTapped)) {
      $0.counter?.count = -1
    }
    await store.send(.closeTapped) {
      $0.isPresented = false
      $0.counter = nil
    }
  }

  @Test("A row's counter begins with the row's count, which it changes when it is closed")
  func navigateAndLoad() async throws {
    let store = try studyStore(of: NavigateAndLoad()) { $0.clock = clock.appClock }
    await store.send(.rowTapped(1)) { $0.openedID = 1 }
    await store.send(.closeTapped) { $0.openedID = nil }
    await clock.advance(by: .seconds(1))
    await store.send(.rowTapped(2)) { $0.openedID = 2 }
    await clock.advance(by: .seconds(1))
    await store.receive(.internal(.loaded(42))) { $0.counter = Counter.State(count: 42) }
    await store.send(/NavigateAndLoad.Action.counter, .view(.incrementTapped)) {
      $0.counter?.count = 43
    }
    await store.send(.closeTapped) {
      $0.rows[id: 2]?.count = 43
      $0.openedID = nil
      $0.counter = nil
    }
  }

  @Test("What was being loaded when the app ended is loaded again; what was loaded already is not")
  func restored() async throws {
    let loading = try studyStore(of: LoadThenPresent(), in: LoadThenPresent.State(isLoading: true))
    {
      $0.clock = clock.appClock
    }
    await loading.didRestore()
    await clock.advance(by: .seconds(1))
    await loading.receive(.internal(.loaded)) {
      $0.isLoading = false
      $0.counter = Counter.State()
    }
    let presented = try studyStore(
      of: PresentAndLoad(), in: PresentAndLoad.State(isPresented: true)
    ) {
      $0.clock = clock.appClock
    }
    await presented.didRestore()
    await clock.advance(by: .seconds(1))
    await presented.receive(.internal(.loaded)) { $0.counter = Counter.State() }
    await presented.didRestore()
    let opened = try studyStore(of: NavigateAndLoad(), in: NavigateAndLoad.State(openedID: 2)) {
      $0.clock = clock.appClock
    }
    await opened.didRestore()
    await clock.advance(by: .seconds(1))
    await opened.receive(.internal(.loaded(42))) { $0.counter = Counter.State(count: 42) }
    await opened.didRestore()
    await clock.advance(by: .seconds(5))
  }
}
