import AppCore
import AppCoreCLI
import AppCoreHost
import AppCoreTesting
import Foundation
import Testing

/// The first things that somebody changes in a new plugin while it runs.
@Suite("A new plugin that is changed while it runs")
struct ReloadScaffoldTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  @Test("A new property has its default, and an effect that waited continues")
  func experiments() async throws {
    let scaffold = try PluginScaffold(name: "Lamps", into: bench.folder)
    try scaffold.write()
    let clock = TestClock()
    var dependencies = DependencyValues()
    dependencies.clock = clock.appClock
    let app = App(
      try LoadedApp.load(scaffold.folder + "/" + scaffold.manifest, options: bench.options),
      dependencies: dependencies)
    try await app.begin()
    await app.converse()
    _ = await app.send(line: "@add")
    _ = await app.send(line: Array("@later".utf8), within: .zero)
    #expect(await app.currentState == ["limit": 3, "count": 1, "isWaiting": true])

    let source = "Lamps/Sources/Lamps/Counter.swift"
    let text = try String(contentsOfFile: bench.folder + "/" + source, encoding: .utf8)
    let line = "    var isWaiting = false\n"
    try #require(text.contains(line))
    try bench.write(text.replacing(line, with: line + "    var extra = 7\n"), to: source)
    #expect(await app.reload("Lamps") == .reloaded(version: "0.1.0", instances: 1))
    #expect(
      await app.currentState == ["limit": 3, "count": 1, "isWaiting": true, "extra": 7])

    await clock.advance(by: .seconds(1))
    try await eventually {
      await app.currentState == ["limit": 3, "count": 2, "isWaiting": false, "extra": 7]
    }
  }
}
