internal import AppCore
internal import AppCoreHost
import AppCoreHostTesting
import AppCoreTesting
import TestSupport
import Testing

/// An app of real plugin files, each compiled on its own and loaded at run time.
@Suite(
  "An app of mock plugins", .notSanitized("loads plugins that trap, which only a scan survives"))
struct MockPluginAppTests {
  let bench: Workbench

  init() throws { bench = try Workbench(sharesScans: true) }

  static let manifest = Project.path("Tests/Fixtures/manifests/mocks/good.yaml")

  func app() async throws -> AppHarness {
    try await AppHarness(manifest: Self.manifest, options: bench.options)
  }

  @Test("A list pushes itself, deeper by what was chosen")
  func tree() async throws {
    let app = try await app()
    try await app.type("@branch2", "@branch3", "@branch1")
    #expect(await app.path == "/tree/tree;level=2/tree;level=5/tree;level=6")
    #expect(await app.screen.title == "Level 6")
    #expect(
      await app.delegates
        == [2, 5, 6].map {
          EmittedDelegate(node: "tree", action: "opened", payload: ["level": .int($0)])
        })
  }

  @Test("A dialog's answer comes back as an input, and going back is an answer too")
  func ask() async throws {
    let app = try await app()
    try await app.type("@branch1", "@ask")
    #expect(await app.screen.text.contains("What is level 1?"))
    #expect(await app.screen.control("done")?.isEnabled == false)
    try await app.type("@answer a first step", "@done")
    #expect(await app.state == ["level": 1, "answer": "a first step"])
    #expect(await app.screen.text.contains("The answer is 'a first step'."))
    try await app.type("@ask", ":back")
    #expect(await app.path == "/tree/tree;level=1")
    #expect(await app.delegates.last == EmittedDelegate(node: "ask", action: "cancelled"))
    #expect(await app.state["answer"] ?? .null == .null)
  }

  @Test("An effect waits on the clock of the test, across the border of the plugin's file")
  func countdown() async throws {
    let app = try await app()
    try await app.type("@countdown")
    #expect(await app.screen.text.contains("3 s left"))
    await app.clock.advance(by: .milliseconds(999))
    #expect(await app.state["left"] == 3)
    await app.clock.advance(by: .milliseconds(1))
    #expect(await app.screen.text.contains("2 s left"))
    await app.clock.advance(by: .seconds(2))
    #expect(await app.path == "/tree")
    #expect(
      await app.delegates.last
        == EmittedDelegate(node: "countdown", action: "finished", payload: ["seconds": 3]))
    #expect(app.clock.sleeperCount == 0)
  }

  @Test("An effect ends with its instance, and when the feature says so")
  func effectsEnd() async throws {
    let app = try await app()
    try await app.type("@countdown", "@stop")
    #expect(app.clock.sleeperCount == 0)
    await app.clock.advance(by: .seconds(60))
    #expect(await app.state["left"] == 3)
    try await app.type(":back", "@countdown")
    #expect(app.clock.sleeperCount == 1)
    try await app.type(":back")
    #expect(app.clock.sleeperCount == 0)
  }

  @Test("An instance that can't be made is refused, and the app continues")
  func throwing() async throws {
    let app = try await app()
    try await app.type("@broken")
    #expect(await app.path == "/tree")
    let reason = "'broken' can't be shown: the device does not answer"
    #expect(
      await app.refusedRoutes == [
        RefusedRoute(
          node: "tree", action: "brokenRequested", code: "unavailable", reason: reason)
      ])
    #expect(
      await app.screen.notices == ["'brokenRequested' of 'tree' changed nothing: \(reason)"])
    try await app.type("@branch1")
    #expect(await app.path == "/tree/tree;level=1")
    #expect(await app.screen.notices.isEmpty)
  }

  @Test("The program continues after an instance that can't be made, and says why")
  func throwingInProgram() async throws {
    let result = try await bench.appcore(
      ["run", Self.manifest, "--json"],
      input: "@broken\n@branch1\n:expect-path /tree/tree;level=1\n")
    #expect(result.status == 0)
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines[1].contains(
        "'brokenRequested' of 'tree' changed nothing: 'broken' can't be shown: "
          + "the device does not answer"))
  }

  @Test("An app whose first instance can't be made does not begin")
  func throwingAtStart() async throws {
    let path = try bench.write(
      """
      appcore: 1
      name: broken
      plugins: [MockThrows]
      start: broken
      nodes:
        broken: { feature: MockThrows.Broken }

      """, to: "app.yaml")
    let result = try await bench.appcore(["run", path])
    #expect(result.status == 65)
    #expect(result.output == "")
    #expect(
      result.errors == """
        appcore: the app can't begin: 'broken' can't be shown: the device does not answer

        """)
  }
}
