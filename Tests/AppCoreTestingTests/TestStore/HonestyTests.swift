import AppCore
import AppCoreTesting
import Testing

@MainActor
@Suite("What a test does not miss")
struct HonestyTests {
  /// Two counters, of which a dependency turns one on; its date is that of its creation.
  struct Tally: Feature {
    struct Arguments: Codable, Sendable {}
    struct State: Codable, Equatable, Sendable {
      var count = 0
      var begin: Instant?
      @Shared(.inMemory("honest")) var total = 0
    }
    enum Action: FeatureAction {
      enum View: Codable, Equatable, Sendable { case tapped }
      enum Internal: Sendable { case loaded }
      case view(View)
      case `internal`(Internal)
    }
    var noteDate = false
    @Dependency(\.library) var library
    @Dependency(\.date) var date

    func initialState(_ arguments: Arguments) -> State {
      State(begin: noteDate ? date.now : nil)
    }

    func didStart(_ state: inout State) -> Effect<Action> {
      state.count += 1
      return .send(.internal(.loaded))
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .view(.tapped): state.count += 1
        case .internal(.loaded): state.$total.withLock { $0 += 1 }
        }
        return .none
      }
      if (try? library.find("twice")) == ["on"] {
        Reduce { state, action in
          if case .view(.tapped) = action { state.count += 1 }
          return .none
        }
      }
    }

    func screen(_ state: State) -> Screen<Action> { Screen("Tally") { _ in } }
  }

  @Test("A body that depends on dependencies has those of the test")
  func body() async {
    let store = TestStore(initialState: Tally.State()) {
      Tally()
    } withDependencies: {
      $0.library = Library { _ in ["on"] }
    }
    await store.send(.tapped) { $0.count = 2 }
  }

  @Test("A dependency that is not set and that the first state reads fails the test")
  func unsetDate() async {
    let found = await failures { _ = try? TestStore(arguments: .init()) { Tally(noteDate: true) } }
    #expect(found.count == 1 && found[0].contains("date"), "\(found)")
  }

  @Test("What the actions of a hook's effects change is asserted with them, not with the hook")
  func hookEffects() async throws {
    let store = try TestStore(arguments: .init()) { Tally() }
    await store.didStart { $0.count = 1 }
    await store.receive(/Tally.Action.Internal.loaded) { $0.$total.withLock { $0 = 1 } }
  }

  struct Login: Reducer {
    struct State: Codable, Sendable { var password = Secret("") }
    enum Action: ComponentAction { case entered(Secret<String>) }
    func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
  }

  struct Destination: Destinations {
    let login = Case(Login())
  }

  @Test("Destinations that differ in a secret alone, or far behind, differ")
  func secretDestinations() {
    func action(_ text: String) -> Destination.Action {
      Destination.Action.login(Login.Action.entered(Secret(text)))
    }
    #expect(action("right") == action("right"))
    #expect(action("right") != action("wrong"))
    func state(_ text: String) -> Destination.State {
      Destination.State.login(.init(password: Secret(text)))
    }
    #expect(state("right") == state("right"))
    #expect(state("right") != state("wrong"))
  }
}
