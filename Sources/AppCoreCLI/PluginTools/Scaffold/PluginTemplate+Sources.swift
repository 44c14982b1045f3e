internal import PluginHost

extension PluginTemplate {
  /// The source of the plugin's type and entry function.
  static func plugin(_ name: String) -> String {
    """
    import AppCore

    /// Names the plugin's features.
    struct \(name)Plugin: Plugin {
      static let name = "\(name)"
      static let version = "0.1.0"

      // What the features share, such as a connection, is made here and handed to them below.
      init(configuration: NoConfiguration) {}

      static func register(in registry: inout PluginRegistry<Self>) {
        registry.feature(Counter.self) { _ in Counter() }
      }
    }

    /// What the host calls; its name says which plugin this is.
    @c(appcore_plugin_\(name))
    public func plugin\(name)() -> UnsafeMutableRawPointer { export(\(name)Plugin.self) }

    """
  }

  /// The source of a feature with an action of each kind.
  static let feature = """
    import AppCore

    /// Counts up to a limit, and tells when it is there.
    struct Counter: Feature {
      /// What a route may give it; what it leaves out is as here.
      struct Arguments: Codable, Sendable, Defaulted {
        var limit = 3
      }

      /// `Defaulted`, so that a property that is new when the plugin is replaced while it runs has its
      /// default; what else the state's form may become, `migrate(_:from:)` says.
      struct State: Codable, Sendable, Equatable, Defaulted {
        var limit = 3
        var count = 0
        var isWaiting = false
      }

      enum Action: FeatureAction {
        /// What the screen sends.
        enum View: Codable, Sendable, Equatable { case addTapped, addLaterTapped }
        /// What the feature's own effects send.
        enum Internal: Codable, Sendable, Equatable { case waited }
        /// What the manifest's routes hear.
        enum Delegate: Codable, Sendable, Equatable { case limitReached(count: Int) }
        /// What a route may send.
        enum Input: Codable, Sendable, Equatable { case restarted }
        case view(View)
        case `internal`(Internal)
        case delegate(Delegate)
        case input(Input)
      }

      @Dependency(\\.clock) var clock

      func initialState(_ arguments: Arguments) -> State { State(limit: arguments.limit) }

      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        switch action {
        case .view(.addTapped):
          return add(&state)
        case .view(.addLaterTapped):
          state.isWaiting = true
          return wait()
        case .internal(.waited):
          state.isWaiting = false
          return add(&state)
        case .input(.restarted):
          state.count = 0
          return .none
        case .delegate:
          return .none
        }
      }

      /// Goes on when the plugin was replaced while it ran: the former build's effects have ended.
      func didRestore(_ state: inout State) -> Effect<Action> {
        state.isWaiting ? wait() : .none
      }

      private func wait() -> Effect<Action> {
        .run { send in
          try await clock.sleep(for: .seconds(1))
          await send(.internal(.waited))
        }
      }

      /// What two actions have in common.
      private func add(_ state: inout State) -> Effect<Action> {
        state.count += 1
        return state.count < state.limit
          ? .none : .send(.delegate(.limitReached(count: state.count)))
      }

      func screen(_ state: State) -> Screen<Action> {
        Screen("Counter") { screen in
          screen.text("\\(state.count) of \\(state.limit)")
          screen.button("Add", id: "add", action: .addTapped)
          screen.button(
            "Add in a second", id: "later", isEnabled: !state.isWaiting, action: .addLaterTapped)
        }
      }
    }

    """

  /// The source of a test of the feature and, if there is a manifest, of a test of the whole app.
  static func test(_ name: String, _ app: AppStory?) -> String {
    """
    import AppCore
    \(app == nil ? "" : "import AppCoreHostTesting\n")import AppCoreTesting
    import Testing

    @testable import \(name)

    @MainActor
    @Suite("Counter")
    struct CounterTests {
      let clock = TestClock()

      @Test("It counts, waits, and tells when the limit is reached")
      func story() async throws {
        let store = try TestStore(arguments: Counter.Arguments(limit: 2)) {
          Counter()
        } withDependencies: {
          $0.clock = clock.appClock
        }

        await store.send(.addTapped) { $0.count = 1 }

        await store.send(.addLaterTapped) { $0.isWaiting = true }
        await clock.advance(by: .seconds(1))
        await store.receive(.internal(.waited)) {
          $0.isWaiting = false
          $0.count = 2
        }
        await store.receive(.delegate(.limitReached(count: 2)))

        await store.sendInput(.restarted) { $0.count = 0 }
      }
    \(app.map { test(ofApp: $0, name) } ?? "")}

    """
  }

  private static func test(ofApp app: AppStory, _ name: String) -> String {
    let steps = app.steps.split(separator: "\n").map { "    \($0)\n" }.joined()
    return """

        @Test("\(app.title)")
        func app() async throws {
          // The real manifest, with this plugin as it is here, other plugins from their files, and
          // files in memory.
          let app = try await AppHarness(
            manifest: "\(app.manifest)", plugins: [\(name)Plugin.self], clock: clock
          ) {
            $0.fileSystem = .inMemory()
          }

      \(steps)    #expect(await app.path == "/counter")
          #expect(await app.state["count"] == 0)
        }

      """
  }
}

/// What a test of a whole app does, and where the app's manifest is.
struct AppStory: Sendable {
  let title: String
  /// The manifest, from the folder of the plugin, in which tests run.
  let manifest: String
  /// The lines of code from the first count up to the restart.
  let steps: String

  /// At the limit another counter is pushed, which counts to two.
  static func bonus(_ manifest: String) -> AppStory {
    AppStory(
      title: "At the limit there is a bonus, and then it begins anew", manifest: manifest,
      steps: """
        try await app.type("@add", "@add", "@add")
        #expect(await app.path == "/counter/bonus;limit=2")
        try await app.type("@add", "@add")
        """)
  }

  /// At the limit a dialog asks whether to count again.
  static func dialog(_ manifest: String) -> AppStory {
    AppStory(
      title: "At the limit it asks, and then it begins anew", manifest: manifest,
      steps: """
        try await app.type("@add", "@add", "@add")
        #expect(await app.screen.text.contains("That makes 3. Again?"))
        try await app.type("@yes")
        """)
  }
}
