import AppCore
import AppCoreHostTesting
import AppCoreTesting
import Testing

/// Says when tea is ready.
struct Tea: Feature {
  @Dependency(\.clock) var clock

  struct State: Codable, Sendable, Equatable {
    var isReady = false
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable { case pourTapped }
    enum Internal: Sendable { case steeped }
    enum Delegate: Codable, Sendable { case served }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func didStart(_ state: inout State) -> Effect<Action> {
    let clock = clock
    return .run { send in
      try await clock.sleep(for: .seconds(180))
      await send(.internal(.steeped))
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.pourTapped): return .send(.delegate(.served))
    case .internal(.steeped):
      state.isReady = true
      return .none
    case .delegate: return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Tea") { screen in
      screen.text(state.isReady ? "The tea is ready." : "The tea is steeping.")
      screen.button("Pour", id: "pour", isEnabled: state.isReady, action: .pourTapped)
    }
  }
}

struct TeaPlugin: Plugin {
  static let name = "Kitchen"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Tea.self) { _ in Tea() }
  }
}

@Suite("Tea")
struct TeaTests {
  @Test("It is ready after three minutes, and not before")
  func steeping() async throws {
    let clock = TestClock()
    let app = try await AppHarness(
      text: """
        appcore: 1
        name: kitchen
        plugins: [Kitchen, Dialogs]
        start: tea
        nodes:
          tea:    { feature: Kitchen.Tea }
          served: { feature: Dialogs.Notice, with: { text: Enjoy! } }
        routes:
          - { from: tea, action: served, present: served }
          - { from: served, action: closed, do: dismiss }

        """,
      plugins: [TeaPlugin.self],
      mocks: [MockFeature("Dialogs.Notice", arguments: ["text": .string], delegates: ["closed"])],
      clock: clock)

    await clock.advance(by: .seconds(179))
    #expect(await app.screen.text.contains("The tea is steeping."))
    #expect(try await app.refusal(of: "@pour").code == "disabled")

    await clock.advance(by: .seconds(1))
    #expect(await app.screen.text.contains("The tea is ready."))

    try await app.type("@pour")
    #expect(await app.delegates.last == EmittedDelegate(node: "tea", action: "served"))
    #expect(await app.screen.isModal)
  }
}
