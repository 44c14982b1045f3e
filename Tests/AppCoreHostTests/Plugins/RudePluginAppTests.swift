internal import AppCore
internal import AppCoreHost
import AppCoreTesting
import Testing

/// An app of a plugin that does what no plugin should; after each of it the app is usable.
@Suite("A plugin that misbehaves")
struct RudePluginAppTests {
  let bench: Workbench

  init() throws { bench = try Workbench(sharesScans: true) }

  func launch() async throws -> App {
    try await App.launch(
      Project.path("Tests/Fixtures/manifests/rude/rude.yaml"), options: bench.options)
  }

  private func expectUsable(
    _ app: App, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    _ = await app.send(line: "@text")
    #expect(await app.currentNode == "wall", sourceLocation: sourceLocation)
    _ = await app.send(line: ":back")
    #expect(await app.currentNode == "rude", sourceLocation: sourceLocation)
  }

  @Test(
    "Actions sent in answer to themselves without end are cut off", arguments: ["self", "multiply"])
  func endless(control: String) async throws {
    let app = try await launch()
    let told = await app.eventCount
    _ = await app.send(line: "@\(control)")
    let action = control == "self" ? "again" : "twice"
    let text =
      "'.internal(.\(action))' of 'rude' #0.0 was cut off: it is one of more than 100000 actions "
      + "that brought each other about without end"
    #expect(
      await app.navigationEvents(after: told).map(\.text) == ["dropped: \(text) [endless]"])
    let screen = await app.readScreen(noticesAfter: told)
    #expect(screen.lines.joined(separator: " ").contains("was cut off"))
    #expect(await app.settle(within: .seconds(60)))
    await expectUsable(app)
  }

  @Test("An effect that sends without ever waiting leaves others their turn")
  func loop() async throws {
    let app = try await launch()
    _ = await app.send(line: Array("@loop".utf8), within: .zero)
    let count = { @Sendable in await app.currentState?["count"] ?? .null }
    let first = await count()
    try await eventually { await count() != first }
    _ = await app.send(line: Array("@text".utf8), within: .zero)
    #expect(await app.currentNode == "wall")
    #expect(await app.end(within: .seconds(60)))
  }

  @Test("Very many effects of one instance are reported, and end with it")
  func effects() async throws {
    let app = try await launch()
    let told = await app.eventCount
    _ = await app.send(line: Array("@effects".utf8), within: .zero)
    #expect(
      await app.navigationEvents(after: told).map(\.text)
        == [10_000, 20_000].map {
          "'rude' #0.0 has \($0) running effects; it starts more than end [flood]"
        })
    _ = await app.send(line: Array("@add".utf8), within: .zero)
    #expect(await app.currentState?["count"] == 1)
    #expect(await app.end(within: .seconds(60)))
  }

  @Test(
    "A screen without end is shown as far as it can be, with a note",
    arguments: ["text", "lines", "elements"])
  func wall(kind: String) async throws {
    let app = try await launch()
    _ = await app.send(line: "@\(kind)")
    let screen = await app.readScreen(noticesAfter: app.eventCount)
    #expect(screen.lines.count <= 20_100)
    #expect(screen.lines.reduce(0) { $0 + $1.utf8.count } < 2 << 20)
    #expect(screen.lines.suffix(6).joined(separator: " ").contains("is cut here"))
    #expect(screen.value.json.utf8.count < 4 << 20)
    // What is before the cut can be used.
    _ = await app.send(line: "@first")
    #expect(await app.send(line: ":back").isRefused == false)
    #expect(await app.currentNode == "rude")
  }
}
