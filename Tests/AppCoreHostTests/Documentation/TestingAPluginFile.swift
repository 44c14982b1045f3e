import AppCheck
import AppCore
import AppCoreHost
import AppCoreHostTesting
import AppCoreTesting
import Testing

@Suite("The plugin's file")
struct PluginFileTests {
  @Test("It loads, and its features work across the border of the file")
  func loads() async throws {
    var options = AppOptions()
    options.pluginPath = [Project.build]
    let app = try await AppHarness(
      manifest: Project.path("Tests/Fixtures/manifests/mocks/good.yaml"), options: options)

    try await app.type("@countdown")
    await app.clock.advance(by: .seconds(3))
    #expect(await app.path == "/tree")
    #expect(
      await app.delegates.last
        == EmittedDelegate(node: "countdown", action: "finished", payload: ["seconds": 3]))
  }

  @Test("A plugin that can't be loaded is refused with its cause, and nothing crashes")
  func refused() async throws {
    let manifest = """
      appcore: 1
      name: broken
      plugins: [MockTrapsOnEntry]
      start: first
      nodes:
        first: { feature: MockTrapsOnEntry.First }

      """
    let error = await #expect(throws: AppHarnessError.self) {
      _ = try await AppHarness(text: manifest)
    }
    guard case .load(let cause) = error else {
      Issue.record("it was refused for something else")
      return
    }
    #expect(cause.exitStatus == 69)
    #expect("\(cause)".contains("Fatal error: the licence has run out"))
  }
}
