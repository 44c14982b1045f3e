import AppCore
import AppCoreHostTesting
import AppCoreTesting
import Testing

@Suite("Dependencies of AppHarness")
struct HarnessDependencyTests {
  /// Shows what its dependencies are where it is created, where it reduces and in its effects.
  struct Clerk: Feature {
    struct State: Codable, Sendable {
      var created: String
      var reduced = ""
      var inEffect = ""
      @Shared(.inMemory("HarnessDependencyTests")) var count = 0
    }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case lookTapped }
      enum Internal: Sendable { case looked(String) }
      case view(View)
      case `internal`(Internal)
    }
    @Dependency(\.date) var date
    @Dependency(\.uuid) var uuid
    @Dependency(\.clock) var clock

    private var words: String {
      "\(date.now.sinceEpoch.components.seconds) \(uuid().description.suffix(2)) \(clock.now)"
    }

    func initialState(_ arguments: NoArguments) -> State { State(created: words) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .view(.lookTapped):
        state.reduced = words
        state.$count.withLock { $0 += 1 }
        return .run { send in await send(.internal(.looked(words))) }
      case .internal(.looked(let words)):
        state.inEffect = words
        return .none
      }
    }

    func screen(_ state: State) -> Screen<Action> {
      Screen("Clerk") { $0.button("Look", id: "look", action: .lookTapped) }
    }
  }

  struct ClerkPlugin: Plugin {
    static let name = "Office"
    static let version = "1.0.0"
    init(configuration: NoConfiguration) {}
    static func register(in registry: inout PluginRegistry<Self>) {
      registry.feature(Clerk.self) { _ in Clerk() }
    }
  }

  private func app(
    _ dependencies: @Sendable (inout DependencyValues) -> Void = { _ in }
  ) async throws -> AppHarness {
    try await AppHarness(
      text: """
        appcore: 1
        plugins: [Office]
        start: clerk
        nodes: { clerk: { feature: Office.Clerk } }

        """, plugins: [ClerkPlugin.self], dependencies: dependencies)
  }

  @Test("Those of a 'withDependencies' around it are in force, unless it has its own")
  func surrounding() async throws {
    try await withDependencies {
      $0.date.now = Instant(secondsSinceEpoch: 7)
      $0.uuid = .incrementing
      $0.clock = .immediate
      $0.context = .live
    } operation: {
      // Its own clock stands still at zero.
      let app = try await app()
      try await app.type("@look")
      #expect(await app.state["created"] == "7 00 0.0 seconds")
      #expect(await app.state["reduced"] == "7 01 0.0 seconds")
      #expect(await app.state["inEffect"] == "7 02 0.0 seconds")

      let other = try await self.app { $0.date.now = Instant(secondsSinceEpoch: 8) }
      #expect(await other.state["created"] == "8 03 0.0 seconds")
    }
  }

  @Test("Shared values are its own, unless the test has set a storage around it")
  func storage() async throws {
    for _ in 0..<2 {
      try await withDependencies {
        $0.date.now = Instant(secondsSinceEpoch: 7)
        $0.uuid = .incrementing
      } operation: {
        let app = try await app()
        try await app.type("@look")
        @Shared(.inMemory("HarnessDependencyTests")) var count = 0
        #expect(count == 0)
        #expect(await app.state["count"] == 1)
      }
    }
    try await withDependencies {
      $0.date.now = Instant(secondsSinceEpoch: 7)
      $0.uuid = .incrementing
      $0.sharedStorage = SharedStorage()
    } operation: {
      let app = try await app()
      try await app.type("@look")
      @Shared(.inMemory("HarnessDependencyTests")) var count = 0
      #expect(count == 1)
    }
  }
}
