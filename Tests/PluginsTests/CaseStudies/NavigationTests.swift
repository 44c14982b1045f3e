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

  @Test("A crossing leads on, a counter dismisses itself, and the stack is left step by step")
  func stack() async throws {
    let store = try store(Stack())
    await store.send(.crossingTapped) { $0.path.append(Stack.Path.State.crossing(.init())) }
    await store.send(
      /Stack.Action.path, .element(id: 0, action: Stack.Path.Action.crossing(.view(.counterTapped)))
    ) { $0.path.append(Stack.Path.State.counter(.init())) }
    await store.send(
      /Stack.Action.path,
      .element(id: 1, action: Stack.Path.Action.counter(.view(.incrementTapped)))
    ) { $0.path[id: 1]?.counter?.count = 1 }
    #expect(store.state.total == 1)
    await store.send(
      /Stack.Action.path, .element(id: 1, action: Stack.Path.Action.counter(.view(.doneTapped))))
    await store.receive(where: { if case .path(.popFrom(1)) = $0 { true } else { false } }) {
      $0.path.removeLast()
    }
    await store.send(.backTapped) { $0.path.removeLast() }
  }

  @Test("A timer on the stack ticks until its screen is left")
  func stackTimer() async throws {
    let store = try store(Stack())
    await store.send(.tourTapped) {
      $0.path = [
        Stack.Path.State.counter(.init()), Stack.Path.State.crossing(.init()),
        Stack.Path.State.timer(.init()),
      ]
    }
    await store.send(
      /Stack.Action.path, .element(id: 2, action: Stack.Path.Action.timer(.view(.toggleTapped)))
    ) { $0.path[id: 2]?.timer?.isRunning = true }
    await clock.advance(by: .seconds(1))
    await store.receive(/Stack.Action.path) { $0.path[id: 2]?.timer?.count = 1 }
    await store.send(.rootTapped) { $0.path = [] }
    await clock.advance(by: .seconds(1))
  }

  @Test("One destination is shown at a time, and the parent sees what happens there")
  func multipleDestinations() async throws {
    typealias Destination = MultipleDestinations.Destination
    let store = try store(MultipleDestinations())
    await store.send(.upTapped) { $0.destination = Destination.State.up(Counter.State(count: 1)) }
    await store.send(
      /MultipleDestinations.Action.destination,
      .presented(Destination.Action.up(.view(.incrementTapped)))
    ) {
      $0.destination?.up?.count = 2
      $0.total = 1
    }
    await store.send(.downTapped) {
      $0.destination = Destination.State.down(Counter.State(count: -1))
    }
    await store.send(
      /MultipleDestinations.Action.destination,
      .presented(Destination.Action.down(.view(.incrementTapped)))
    ) { $0.destination?.down?.count = 0 }
    await store.send(
      /MultipleDestinations.Action.destination,
      .presented(Destination.Action.down(.view(.decrementTapped)))
    ) {
      $0.destination?.down?.count = -1
      $0.total = 0
    }
    await store.send(/MultipleDestinations.Action.destination, .dismiss) { $0.destination = nil }
    await store.send(.alertTapped) {
      $0.destination = Destination.State.alert(AlertState { "The total is 0." })
    }
    await store.send(/MultipleDestinations.Action.destination, .dismiss) { $0.destination = nil }
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

  @Test("What was being loaded when the app ended is loaded again; what was loaded already is not")
  func restored() async {
    func store<F: Feature>(_ state: F.State, _ feature: F) -> TestStoreOf<F>
    where F.State: Equatable {
      TestStore(initialState: state) {
        feature
      } withDependencies: {
        $0.clock = clock.appClock
      }
    }
    let loading = store(LoadThenPresent.State(isLoading: true), LoadThenPresent())
    await loading.didRestore()
    await clock.advance(by: .seconds(1))
    await loading.receive(.internal(.loaded)) {
      $0.isLoading = false
      $0.counter = Counter.State()
    }
    let presented = store(PresentAndLoad.State(isPresented: true), PresentAndLoad())
    await presented.didRestore()
    await clock.advance(by: .seconds(1))
    await presented.receive(.internal(.loaded)) { $0.counter = Counter.State() }
    await presented.didRestore()
    let opened = store(NavigateAndLoad.State(openedID: 2), NavigateAndLoad())
    await opened.didRestore()
    await clock.advance(by: .seconds(1))
    await opened.receive(.internal(.loaded(42))) { $0.counter = Counter.State(count: 42) }
    await opened.didRestore()
    await clock.advance(by: .seconds(5))
  }
}
