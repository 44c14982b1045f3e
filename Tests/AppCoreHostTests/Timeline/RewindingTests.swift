@_spi(Host) internal import AppCore
@_spi(Host) internal import AppCoreHost
import Foundation
internal import Navigation
internal import Sessions
internal import Shell
internal import Support
import TestSupport
import Testing

/// What a person sees of it is in `Tests/Transcripts/recording/rewinding.md`.
@Suite("Rewinding")
struct RewindingTests {
  @Test("Nothing can be pressed in the past, and effects continue beneath")
  func past() async throws {
    let app = try await WalkApp.begun()
    _ = await app.type("@step", ":rewind")
    for line in ["@step", "1", ":back", ":tab walk", ":open /walk", ":reload Walk"] {
      #expect(await app.refusal(of: line) == "rewound", "\(line)")
    }
    #expect(await app.refusal(of: ":expect At 0.") == nil)
    try await app.emit("opened", from: "walk", payloads: [.object([:])])
    #expect(await app.state.instances.count == 2)
    #expect(await app.type(":path").contains("/walk"))
    let shown = await app.type(":now")
    #expect(shown.contains { $0.lowercased().contains("walk › walk") }, "\(shown)")
    _ = await app.end(within: .seconds(1))
  }

  @Test("In the past nobody is asked for a value that could not be used")
  func unasked() async throws {
    let app = try await WalkApp.begun()
    await app.converse(SessionSettings(isInteractive: true))
    _ = await app.show()
    _ = await app.type("@step")
    guard case .prompt = await app.send(line: "@password").outcome else {
      Issue.record("a field without a value asks for one")
      return
    }
    _ = await app.type(":rewind")
    #expect(await app.refusal(of: "@password") == "rewound")
    _ = await app.end(within: .seconds(1))
  }

  @Test("':diff' shows a step field by field, without secrets, which ':continue' keeps")
  func differences() async throws {
    let app = try await WalkApp.begun()
    _ = await app.type("@step", "@password hunter2", "@step")
    #expect(
      await app.type(":diff").prefix(2) == [
        "step 4: .view(.stepTapped)", "  walk #0.0 count: 1 → 2",
      ])
    let secret = await app.type(":diff 3")
    #expect(!secret.joined().contains("hunter2"))
    #expect(await app.refusal(of: ":diff 9") == "no-such-step")
    let listed = await app.type(":timeline")
    #expect(!listed.joined().contains("hunter2"))
    #expect(listed.contains { $0.contains("after the line: @step") })
    let shown = await app.type(":goto 3", ":continue", "@check")
    #expect(shown.contains("At 1."))
    #expect(await app.currentState?["length"] == 7)
    _ = await app.end(within: .seconds(1))
  }

  @Test("Where a plugin is replaced, the past step is shown by the new build")
  func replaced() async throws {
    let shop = try ReloadBench(ReloadTests.cart, manifest: ReloadBench.oneNode)
    let app = try await shop.launchWithTimeline()
    _ = await app.type("@add", "@add", ":rewind")
    try shop.change(("There are", "Now there are"))
    let outcome = await app.reload("Shop")
    #expect(outcome == .reloaded(version: "1.0.0", instances: 1), "\(outcome)")
    var shown = await app.type(":expect Now there are 1.")
    #expect(shown.joined(separator: "\n").contains("(rewound to step 2 of "))
    shown = await app.type(":now")
    #expect(shown.contains("Now there are 2."))
    // A manifest with other nodes.
    _ = await app.type(":rewind")
    try shop.bench.write(
      ReloadBench.oneNode.replacing(
        "nodes:\n", with: "nodes:\n  another: { feature: Shop.Cart }\n"),
      to: "app.yaml")
    _ = await app.reloadManifest()
    _ = await app.type(":path", ":now", "@add", ":expect Now there are 3.")
    _ = await app.end(within: .seconds(1))
  }

  @Test("A step from before a plugin was replaced is read as one of the version that made it")
  func formerVersion() async throws {
    let shop = try ReloadBench(ReloadTests.cart, manifest: ReloadBench.oneNode)
    let app = try await shop.launchWithTimeline()
    _ = await app.type("@add", "@add")
    try shop.change(
      ("version = \"1.0.0\"", "version = \"2.0.0\""),
      (
        "// resumed",
        """
        static func migrate(_ old: Value, from version: String) -> Value {
          guard case .object(var fields) = old, case .int(let count)? = fields["count"] else {
            return old
          }
          fields["count"] = .int(count + 100)
          return .object(fields)
        }
        """
      ))
    #expect(await app.reload("Shop") == .reloaded(version: "2.0.0", instances: 1))
    _ = await app.type("@add", ":expect There are 103.")
    // The steps: the begin, two lines, the reload, a line.
    _ = await app.type(":goto 2", ":expect There are 101.", ":goto 4", ":expect There are 102.")
    _ = await app.type(":goto 2", ":continue", ":expect There are 101.")
    _ = await app.end(within: .seconds(1))
  }

  @Test("A recording says of which build each step is, also where the first ones are dropped")
  func builds() async throws {
    let shop = try ReloadBench(ReloadTests.cart, manifest: ReloadBench.oneNode)
    let manifest = shop.bench.folder + "/app.yaml"
    let loaded = try LoadedApp.load(manifest, options: shop.bench.options)
    let app = App(
      loaded, dependencies: WalkApp.own(), profiler: nil, timeline: TimelineOptions())
    try await app.begin()
    await app.converse()
    _ = await app.type("@add", "@add")
    try shop.change(("There are", "Now there are"))
    _ = await app.reload("Shop")
    _ = await app.type("@add")
    let file = shop.bench.folder + "/a.recording"
    _ = await app.type(":record \(file)")
    let now = await app.current
    _ = await app.end(within: .seconds(1))
    let recording = try Recording(path: file)
    #expect(recording.header.plugins == loaded.recordingHeader(begun: 0).plugins)
    #expect(recording.facts.builds.map(\.header.plugins) == [now.recordingHeader(begun: 0).plugins])
    #expect(recording.header.plugins != recording.facts.builds.first?.header.plugins)
    // Begin, two lines; the states after the reload are written by the new build.
    #expect(recording.facts.builds.map(\.first) == [4])
    #expect(recording.build(at: 3) == recording.header)
    let outcome = try await App(now).check(file)
    #expect(outcome.divergence == nil && outcome.problem == nil)
    #expect(outcome.facts.builds.map(\.first) == [4])
    // The reload; and after many builds in this process, of other tests, the warning about these.
    let reports = recording.numbers.compactMap(recording.step).count { $0.action == "report" }
    #expect(outcome.unverified == 1 + reports)

    var small = TimelineOptions()
    small.historyLimit = 8_000
    try shop.change(("There are", "There are"))
    let second = App(
      try LoadedApp.load(manifest, options: shop.bench.options), dependencies: WalkApp.own(),
      profiler: nil, timeline: small)
    try await second.begin()
    await second.converse()
    _ = await second.type("@add")
    try shop.change(("There are", "At last there are"))
    _ = await second.reload("Shop")
    for _ in 0..<200 { _ = await second.type("@add") }
    _ = await second.type(":record \(file)")
    let last = await second.current
    _ = await second.end(within: .seconds(1))
    let later = try Recording(path: file)
    #expect(later.numbers.lowerBound > 3)
    #expect(later.header.plugins == last.recordingHeader(begun: 0).plugins)
    #expect(later.facts.builds.isEmpty)
  }

  @Test("':record' and ':screenshot' write over no file of the app, no pipe, and no open recording")
  func refusedFiles() async throws {
    let folder = try TemporaryFolder()
    let recording = folder.url.appendingPathComponent("a.recording").path
    let manifest = try folder.write("walk.yaml", WalkApp.manifest).path
    var options = AppOptions()
    options.linkedPlugins = [LoadedPlugin(WalkPlugin<FirstRule>.self)]
    var timeline = TimelineOptions()
    timeline.file = try RecordingFile(path: recording)
    let app = App(
      try LoadedApp.load(manifest, options: options), profiler: nil, timeline: timeline)
    try await app.begin()
    await app.converse()
    _ = await app.type("@step")
    let pipe = folder.url.appendingPathComponent("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let link = folder.url.appendingPathComponent("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: recording)
    let protected = try folder.write("protected", "").path
    #expect(chmod(protected, 0o444) == 0)
    let foreign = try folder.write("foreign", "dear diary").path
    for path in [manifest, recording, link, pipe, protected, foreign, folder.path, "/dev/null"] {
      #expect(await app.refusal(of: ":record \(path)") == "not-recorded", "\(path)")
      #expect(await app.refusal(of: ":screenshot \(path)") == "not-drawn", "\(path)")
    }
    #expect(try String(contentsOfFile: manifest, encoding: .utf8) == WalkApp.manifest)
    _ = await app.end(within: .seconds(1))
    #expect(try Recording(path: recording).numbers.count == 3)
  }
}

extension ReloadBench {
  /// An app with a history, which somebody talks with.
  fileprivate func launchWithTimeline() async throws -> App {
    let app = App(
      try LoadedApp.load(bench.folder + "/app.yaml", options: bench.options), profiler: nil,
      timeline: TimelineOptions())
    try await app.begin()
    await app.converse()
    return app
  }
}
