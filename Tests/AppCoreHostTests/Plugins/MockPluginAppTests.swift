internal import AppCore
internal import AppCoreHost
import AppCoreHostTesting
import AppCoreTesting
import TestSupport
import Testing

/// Effects of real plugin files and the clock of a test; `Tests/Transcripts/run/instances.md` has the rest.
@Suite(
  "An app of mock plugins", .notSanitized("loads plugins that trap, which only a scan survives"))
struct MockPluginAppTests {
  let bench: Workbench

  init() throws { bench = try Workbench(sharesScans: true) }

  static let manifest = Project.path("Tests/Fixtures/manifests/mocks/good.yaml")

  func app() async throws -> AppHarness {
    try await AppHarness(manifest: Self.manifest, options: bench.options)
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
}
