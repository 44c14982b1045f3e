internal import AppCore
internal import AppCoreHost
import Foundation
internal import Support
import Testing

/// The states that go over from one build to the next.
@Suite("States that go over to another build")
struct ReloadStateTests {
  static let rich = ReloadBench.plugin(
    features: ["Cart", "Item"],
    """
    struct Cart: Feature {
      struct Child: Codable, Sendable { var name: String }
      indirect enum Mode: Codable, Sendable { case idle, editing(Int), nested(Mode) }
      struct State: Codable, Sendable {
        var token = Secret("swordfish-42")
        @Presented var child: Child?
        var path: StackState<Child> = []
        var selected: StackElementID?
        var mode = Mode.idle
        var bits = UInt64.max
        var half: Double = 0.1 + 0.2
        var blob = ""
        var none: Int?
      }
      enum Action: FeatureAction {
        enum View: Codable, Sendable { case fillTapped, deeperTapped }
        enum Delegate: Codable, Sendable { case wanted(level: Int) }
        case view(View)
        case delegate(Delegate)
      }
      func initialState(_ arguments: NoArguments) -> State { State() }
      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        switch action {
        case .view(.fillTapped):
          state.child = Child(name: "presented")
          for index in 0..<4 { state.path.append(Child(name: "child \\(index)")) }
          state.path.removeLast()
          state.path.removeLast()
          state.selected = state.path.append(Child(name: "last"))
          state.mode = .nested(.editing(7))
          state.blob = String(repeating: "0123456789abcdef", count: 100_000)
          return .none
        case .view(.deeperTapped): return .send(.delegate(.wanted(level: 1)))
        case .delegate: return .none
        }
      }
      func screen(_ state: State) -> Screen<Action> {
        Screen("Cart") { screen in
          screen.text("Build A: \\(state.path.ids.map(\\.description).joined(separator: " "))")
          screen.text("Selected: \\(state.selected.flatMap { state.path[id: $0]?.name } ?? "none")")
          screen.text("Child: \\(state.child?.name ?? "none")")
          screen.text("Token: \\(state.token.revealed.count) characters")
          screen.text("Blob: \\(state.blob.utf8.count) bytes")
          screen.text("Sound: \\(state.bits == .max && state.half == 0.1 + 0.2)")
          screen.text("Mode: \\(state.mode)")
          screen.button("Fill", id: "fill", action: .fillTapped)
          screen.button("Deeper", id: "deeper", action: .deeperTapped)
        }
      }
    }

    struct Item: Feature {
      struct Arguments: Codable, Sendable { var level: Int }
      struct State: Codable, Sendable { var level: Int }
      enum Action: FeatureAction {
        enum View: Codable, Sendable { case deeperTapped }
        enum Delegate: Codable, Sendable { case wanted(level: Int) }
        case view(View)
        case delegate(Delegate)
      }
      func initialState(_ arguments: Arguments) -> State { State(level: arguments.level) }
      func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
      func screen(_ state: State) -> Screen<Action> {
        Screen("Item") { screen in screen.text("Level \\(state.level) of build A") }
      }
    }
    """)

  static let manifest = """
    appcore: 1
    name: shop
    plugins: [{ path: ./Shop }]
    start: cart
    nodes:
      cart: { feature: Shop.Cart }
      item: { feature: Shop.Item }
    routes:
      - { from: cart, action: wanted, push: item, with: { level: $.level } }
      - { from: item, action: wanted, push: item, with: { level: $.level } }

    """

  let shop: ReloadBench

  init() throws { shop = try ReloadBench(Self.rich, manifest: Self.manifest) }

  @Test("Children, paths with their identifiers, enums, secrets and large texts stay as they are")
  func everyKind() async throws {
    let app = try await shop.launch()
    _ = await app.send(line: "@fill")
    let before = await app.text()
    #expect(before.contains("Build A: #0 #1 #4"))
    #expect(before.contains("Blob: 1600000 bytes"))
    try shop.change(("Build A", "Build B"))
    #expect(await app.reload("Shop") == .reloaded(version: "1.0.0", instances: 1))
    #expect(
      await app.text() == before.replacingOccurrences(of: "Build A", with: "Build B"))
  }

  @Test("A secret goes over and is told to nobody on its way")
  func secrets() async throws {
    let app = try await shop.launch()
    try shop.change(("Build A", "Build B"))
    _ = await app.reload("Shop")
    #expect(await app.text().contains("Token: 12 characters"))
    // A build that can't take it says so without it.
    try shop.change(
      ("Build A", "Build C"), ("Secret(\"swordfish-42\")", "Secret(42)"),
      (".revealed.count", ".revealed"))
    let refusal = try #require(await app.reload("Shop").rejection)
    let reason = refusal.message
    #expect(refusal.code == "state-not-carried")
    #expect(reason.contains("'token'"))
    let reply = await app.send(line: ":reload Shop")
    for text in [reason, await app.logText(), reply.lines.joined(), reply.reason ?? ""] {
      #expect(!text.contains("swordfish"))
    }
    #expect(await app.currentState?["token"] == "<secret>")
    #expect(await app.text().contains("Token: 12 characters"))
  }

  @Test("As many instances as an app may have go over in one step")
  func deep() async throws {
    let app = try await shop.launch()
    _ = await app.send(line: "@deeper")
    let count = 100_000
    try await app.emit("wanted", from: "item", payloads: (2...count).map { ["level": .int($0)] })
    #expect(await app.instanceCount == count + 1)
    try shop.change(("of build A", "of build B"))
    #expect(await app.reload("Shop") == .reloaded(version: "1.0.0", instances: count + 1))
    #expect(await app.text().contains("Level \(count) of build B"))
    #expect(await app.back(times: count) == count)
    #expect(await app.currentNode == "cart")
  }
}
