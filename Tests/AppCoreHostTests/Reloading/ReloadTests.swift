internal import AppCheck
internal import AppCore
import Foundation
internal import PluginHost
internal import Support
import TestSupport
import Testing

@testable internal import AppCoreHost

/// Plugins that are built anew while their app runs, each with the real compiler.
///
/// What a person sees of it is in `Tests/Transcripts/run/reload-plugin.md`.
@Suite(
  "A plugin that is replaced while it runs",
  .notThreadSanitized("loads a file for each step, which takes minutes there"))
struct ReloadTests {
  static let cart = ReloadBench.plugin(
    """
    struct Cart: Feature {
      struct State: Codable, Sendable {
        var count = 0
        var isLoading = false
      }
      enum Action: FeatureAction {
        enum View: Codable, Sendable { case addTapped, loadTapped }
        enum Internal: Sendable { case loaded }
        case view(View)
        case `internal`(Internal)
      }
      func initialState(_ arguments: NoArguments) -> State { State() }
      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        switch action {
        case .view(.addTapped): state.count += 1
        case .view(.loadTapped):
          state.isLoading = true
          return .run { send in
            // Goes on after it was cancelled, as work does that nobody can stop.
            while !Task.isCancelled { await Task.yield() }
            await send(.internal(.loaded))
          }
        case .internal(.loaded): state.isLoading = false
        }
        return .none
      }
      // resumed
      func screen(_ state: State) -> Screen<Action> {
        Screen("Cart") { screen in
          screen.text("There are \\(state.count).")
          screen.button("Add", id: "add", action: .addTapped)
          screen.button("Load", id: "load", action: .loadTapped)
        }
      }
    }
    """)

  let shop: ReloadBench

  init() throws { shop = try ReloadBench(Self.cart, manifest: ReloadBench.oneNode) }

  @Test("Effects of the former build end; what they send all the same is dropped, counted, logged")
  func lateActions() async throws {
    let app = try await shop.launch()
    _ = await app.send(line: Array("@load".utf8), within: .zero)
    #expect(await app.currentState?["isLoading"] == true)
    try shop.change(("There are", "Now there are"))
    #expect(await app.reload("Shop") == .reloaded(version: "1.0.0", instances: 1))
    try await eventually {
      await app.navigationEvents().contains {
        $0.text == "dropped: it came from a build that has been replaced [outdated]"
      }
    }
    #expect(await app.currentState?["isLoading"] == true)
    #expect(await app.settle())
  }

  @Test("A feature says how an instance continues, and what it does then belongs to the new build")
  func resumed() async throws {
    let app = try await shop.launch()
    _ = await app.send(line: Array("@load".utf8), within: .zero)
    try shop.change(
      (
        "// resumed",
        """
        func didRestore(_ state: inout State) -> Effect<Action> {
          guard state.isLoading else { return .none }
          state.count += 100
          return .run { send in await send(.internal(.loaded)) }
        }
        """
      ))
    #expect(await app.reload("Shop") == .reloaded(version: "1.0.0", instances: 1))
    #expect(await app.settle())
    #expect(await app.currentState == ["count": 100, "isLoading": false])
  }

  @Test("Problems of the manifest with a new build are reported with their places, one a line")
  func doesNotFit() async throws {
    let shop = try ReloadBench(ReloadStateTests.rich, manifest: ReloadStateTests.manifest)
    let app = try await shop.launch()
    try shop.change(("wanted(level: Int)", "desired(level: Int)"), (".wanted(", ".desired("))
    let refusal = try #require(await app.reload("Shop").rejection)
    let reason = refusal.message
    #expect(refusal.code == "plugin-does-not-fit")
    let lines = reason.split(separator: "\n").map(String.init)
    let path = shop.bench.folder + "/app.yaml"
    #expect(lines.first == "the manifest does not fit it:")
    let places = lines.dropFirst().dropLast()
    #expect(places.contains { $0.hasPrefix("\(path):9:27: ") }, "\(places)")
    #expect(places.contains { $0.hasPrefix("\(path):10:27: ") }, "\(places)")
    #expect(places.allSatisfy { $0.hasPrefix(path + ":") && $0.hasSuffix("]") }, "\(places)")
    #expect(
      lines.last
        == "':reload' without a name reads a manifest that was changed, and the plugin with it")
    let reply = await app.send(line: ":reload Shop")
    #expect(reply.output.joined().contains("app.yaml:9:27:"), "\(reply.output)")
    #expect(!reply.output.joined().contains("SourcePosition"))
    #expect(reply.reason?.contains("\n") == false)
  }

  @Test("A manifest that is reloaded with a plugin settles what the plugin was refused for")
  func settledRefusal() async throws {
    let app = try await shop.launch()
    try shop.change(("state.count += 1", "state.cunt += 1"))
    #expect(await app.reload("Shop").rejection?.code == "plugin-not-compiled")
    try shop.change(("There are", "Now there are"))
    try shop.bench.write(ReloadBench.oneNode + "title: Another\n", to: "app.yaml")
    #expect(await app.reloadManifest() == .adopted(instances: 1))
    #expect(await app.text().contains("Now there are 0."))
    #expect(await app.reload("Shop") == .unchanged)
  }
}

extension ReloadOutcome {
  /// Why it was refused.
  var rejection: Rejection? { if case .refused(let rejection) = self { rejection } else { nil } }
}

/// Waits until a condition holds, with a limit that is reached on a broken machine only.
func eventually(
  sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(60)
  while try await !condition() {
    try #require(ContinuousClock.now < end, "it did not come about", sourceLocation: sourceLocation)
    try await Task.sleep(for: .milliseconds(10))
  }
}

/// The messages about a plugin that is loaded very often.
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
