import AppCore
import AppCoreTesting
import Testing

@testable import NavigationStudies

@MainActor
@Suite("The studies of navigation")
struct NavigationTests {
  let clock = TestClock()

  /// A store of a feature, whose clock the test advances.
  private func store<F: Feature>(_ feature: F) throws -> TestStoreOf<F>
  where F.Arguments == NoArguments, F.State: Equatable {
    try TestStore(arguments: NoArguments()) {
      feature
    } withDependencies: {
      $0.clock = clock.appClock
    }
  }

  @Test("The menu tells which study was chosen")
  func menu() async throws {
    let store = try store(Menu())
    await store.send(.studyTapped(.routes))
    await store.receive(.delegate(.routes))
  }

  @Test("A counter is presented once it is loaded")
  func loadThenPresent() async throws {
    let store = try store(LoadThenPresent())
    await store.send(.loadTapped) { $0.isLoading = true }
    await clock.advance(by: .seconds(1))
    await store.receive(.internal(.loaded)) {
      $0.isLoading = false
      $0.counter = Counter.State()
    }
    await store.send(/LoadThenPresent.Action.counter, .presented(.view(.incrementTapped))) {
      $0.counter?.count = 1
    }
    await store.send(/LoadThenPresent.Action.counter, .dismiss) { $0.counter = nil }
  }

  @Test("A counter is loaded while its screen is shown, and not after that is closed")
  func presentAndLoad() async throws {
    let store = try store(PresentAndLoad())
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
    let store = try store(NavigateAndLoad())
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

  @Test("A room tells which door was found, and counts the doors that were opened")
  func room() async throws {
    let store = try TestStore(arguments: RoutesRoom.Arguments(number: 3)) { RoutesRoom() }
    await store.send(.doorTapped)
    await store.receive(.delegate(.doorFound(leadsTo: 4)))
    await store.sendInput(.doorOpened) { $0.doorsOpened = 1 }
    await store.send(.exitTapped)
    await store.receive(.delegate(.exited))
  }

  @Test("A door is opened or closed")
  func door() async throws {
    let store = try TestStore(arguments: RoutesDoor.Arguments(leadsTo: 2)) { RoutesDoor() }
    await store.send(.openTapped)
    await store.receive(.delegate(.opened(leadsTo: 2)))
    await store.send(.closeTapped)
    await store.receive(.delegate(.closed))
  }
}
