internal import AppCheck
import Foundation
internal import PluginHost
import Testing

@testable internal import AppCoreHost

/// What is told of a plugin that is loaded again and again.
@Suite("Many builds of a plugin")
struct ManyBuildsTests {
  @Test("From the 200th build on, each reload tells how many are in memory")
  func warning() async throws {
    let bench = try Workbench()
    let file = "plugins/libMockFaults.so"
    func build(_ number: Int) throws {
      try bench.damage("MockFaults") { $0.append(contentsOf: "build \(number)".utf8) }
    }
    try build(0)
    let path = try bench.write(FaultTests.manifest("MockFaults"), to: "app.yaml")
    let app = try await App.launch(path, options: bench.options)
    #expect(await app.reload("MockFaults") == .unchanged)
    // As reloads leave them; each would take a process that scans.
    let loader = PluginResolver.loader
    var number = 1
    while loader.mappedBuilds < PluginLoader.manyBuilds - 1 {
      try build(number)
      _ = try loader.load(try loader.open(path: "\(bench.folder)/\(file)"))
      number += 1
    }
    try build(-1)
    let events = await app.eventCount
    #expect(await app.reload("MockFaults") == .reloaded(version: "1.0.0", instances: 1))
    let notices = await app.readScreen(noticesAfter: events).lines.joined(separator: " ")
    // Other tests load plugins into this process meanwhile.
    let told = try #require(notices.firstMatch(of: /(\d+) builds of plugins are in memory/))
    let count = try #require(Int(told.1))
    #expect((PluginLoader.manyBuilds...loader.mappedBuilds).contains(count))
    #expect(await app.logText().contains("many-builds"))
    await app.end()
  }
}
