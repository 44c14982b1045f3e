internal import AppCore
internal import AppCoreHost
import AppCoreHostTesting
import Testing

/// What a harness says when a test asks for what can't be.
@Suite("AppHarnessError")
struct AppHarnessErrorTests {
  static let manifest = """
    appcore: 1
    name: door
    plugins: [Door]
    start: door
    nodes:
      door: { feature: Door.Bell, with: { name: Front } }
      room: { tabs: [hall] }
      hall: { feature: Door.Hall }
    routes:
      - { from: door, action: rang, push: room }
      - { from: door, action: [spoke, gave], do: ignore }

    """
  static let delegates = [
    "rang", MockCase("spoke", ["words": .array(.string)]), MockCase("gave", value: .int),
  ]
  static let bell = MockFeature(
    "Door.Bell", arguments: ["name": .string], delegates: delegates)
  static let hall = MockFeature("Door.Hall")

  func app(_ mocks: [MockFeature] = [bell, hall]) async throws(AppHarnessError) -> AppHarness {
    try await AppHarness(text: Self.manifest, mocks: mocks)
  }

  /// What is thrown; that the test fails with it as well is not what these tests are about.
  func message(_ body: () async throws -> Void) async -> String {
    var text = "no error"
    await withKnownIssue(isIntermittent: true) {
      do {
        try await body()
      } catch {
        text = "\(error)"
      }
    }
    return text
  }

  @Test("A manifest with problems: all of them, as they are printed")
  func problems() async {
    let text = await message {
      let bell = MockFeature("Door.Bell", arguments: ["name": .int], delegates: Self.delegates)
      _ = try await app([bell, Self.hall])
    }
    #expect(
      text == """
        manifest.yaml:6:45: error: 'name' must be an integer, not a string [type-mismatch]
          door: { feature: Door.Bell, with: { name: Front } }
                                                    ^
        """)
  }

  @Test("A mock whose name has no plugin, and two of one name")
  func mockNames() async {
    #expect(
      await message { _ = try await app([MockFeature("Bell")]) }
        == "the mock 'Bell' is not named 'Plugin.Feature'; name it as the manifest's nodes do")
    #expect(
      await message { _ = try await app([Self.bell, Self.hall, Self.bell]) }
        == "there are two mocks named 'Door.Bell'; leave one of them out")
  }

  @Test("A mock of a plugin that is given as a type, and one of a plugin that nobody asks for")
  func mockPlugins() async {
    let text = await message {
      _ = try await AppHarness(
        text: Self.manifest, plugins: [TestClockTests.AlarmsPlugin.self],
        mocks: [MockFeature("Alarms.Alarms")])
    }
    #expect(
      text == """
        the mock 'Alarms.Alarms' belongs to a plugin that 'plugins' holds too; leave one of them \
        out, or mock all of the plugin's features
        """)
    #expect(
      await message {
        _ = try await app([Self.bell, Self.hall, MockFeature("Garden.Gate")])
      } == "the manifest names no plugin 'Garden', so it is not used; it names: Door")
  }

  @Test("A line that is refused stops the test, unless that is what the test is about")
  func refused() async throws {
    let app = try await app()
    let text = await message { try await app.type("@rang", "@knock", ":back") }
    #expect(
      text == "the line '@knock' was refused: no control has the identifier '@knock' "
        + "[no-such-control]")
    #expect(await app.nodes == ["door", "room", "hall"])
    #expect(await app.refusals.map(\.line) == ["@knock"])
    #expect(
      await message { try await app.refusal(of: ":back") }
        == "the line ':back' should have been refused, and was carried out")
  }

  @Test("Several lines in one, and a line after the end")
  func lines() async throws {
    let app = try await app()
    #expect(
      await message { try await app.type("@rang\n:back") }
        == "'@rang\n:back' holds a newline; give each line as an argument of its own")
    #expect(await app.nodes == ["door"])
    #expect(
      await message { try await app.type(":quit", ":path") }
        == "the line ':path' came after the app had quit")
  }

  @Test("Emissions of nodes and actions that are not there, and payloads that do not fit")
  func emissions() async throws {
    let app = try await app()
    func expect(
      _ node: String, _ action: String, with payload: Value = [:], _ expected: String,
      at location: SourceLocation = #_sourceLocation
    ) async {
      let text = await message { try await app.emit(node, action, payload) }
      #expect(text == expected, sourceLocation: location)
    }
    let misfit = "the payload does not fit the delegate action"
    await expect("dor", "rang", "the manifest has no node 'dor'; did you mean 'door'?")
    await expect(
      "hall", "rang", "no instance of 'hall' is presented now; on the way from the root are: door")
    await expect(
      "door", "rnag",
      "the feature 'Door.Bell' has no delegate action 'rnag'; did you mean 'rang'?")
    await expect(
      "door", "exploded",
      "the feature 'Door.Bell' has no delegate action 'exploded'; it has: rang, spoke, gave")
    await expect("door", "spoke", "\(misfit) 'spoke': 'words' is missing")
    await expect(
      "door", "spoke", with: ["words": "hello"],
      "\(misfit) 'spoke': 'words' should be list of string, and is a string")
    await expect(
      "door", "spoke", with: ["words": ["hello", 7]],
      "\(misfit) 'spoke': 'words.1' should be string, and is an integer")
    await expect(
      "door", "gave", with: "seven", "\(misfit) 'gave': it should be integer, and is a string")
    #expect(await app.delegates.isEmpty)
    try await app.emit("door", "rang")
    await expect(
      "room", "rang",
      "'room' is a container, which has no feature; name the node of one of its tabs")
    await expect(
      "hall", "rang", "the feature 'Door.Hall' has no delegate action 'rang'; it has none")
  }

  @Test("An effect that waits for something else than the clock")
  func unsettled() async throws {
    struct Endless: Feature {
      struct State: Codable, Sendable {}
      enum Action: FeatureAction {
        enum View: Codable, Sendable { case tapped }
        case view(View)
      }
      func initialState(_ arguments: NoArguments) -> State { State() }
      func didStart(_ state: inout State) -> Effect<Action> {
        .run { _ in try await Task.sleep(for: .seconds(3600)) }
      }
      func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
      func screen(_ state: State) -> Screen<Action> { Screen("Endless") { $0.text("…") } }
    }
    struct EndlessPlugin: Plugin {
      static let name = "Endless"
      static let version = "1.0.0"
      init(configuration: NoConfiguration) {}
      static func register(in registry: inout PluginRegistry<Self>) {
        registry.feature(Endless.self) { _ in Endless() }
      }
    }
    let text = await message {
      _ = try await AppHarness(
        text: """
          appcore: 1
          name: endless
          plugins: [Endless]
          start: endless
          nodes: { endless: { feature: Endless.Endless } }

          """, plugins: [EndlessPlugin.self], timeout: .milliseconds(20))
    }
    #expect(
      text == """
        the start: effects were still at work after 0.02 seconds; they probably wait for something \
        else than the clock. Put a dependency in its place, or wait longer with 'timeout:'
        """)
  }
}
