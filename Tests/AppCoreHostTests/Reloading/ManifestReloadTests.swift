@_spi(Host) internal import AppCore
internal import AppCoreHost
import AppCoreHostTesting
import AppCoreTesting
import Foundation
internal import Support
import TestSupport
import Testing

/// A manifest that is changed while its app runs.
///
/// What a person sees of it is in `Tests/Transcripts/run/reload-manifest.md`.
@Suite(
  "A manifest that is reloaded while its app runs",
  .notThreadSanitized("loads a file for each step, which takes minutes there"))
struct ManifestReloadTests {
  let bench: Workbench
  private let path: String

  init() throws {
    bench = try Workbench()
    path = bench.folder + "/app.yaml"
    try save()
  }

  /// Writes the manifest of the mock plugins, with changes.
  private func save(_ changes: (String, String)...) throws {
    var text = try String(contentsOfFile: MockPluginAppTests.manifest, encoding: .utf8)
    for (old, new) in changes {
      #expect(text.contains(old))
      text = text.replacingOccurrences(of: old, with: new)
    }
    try bench.write(text, to: "app.yaml")
  }

  /// Reloads the manifest, with which so many instances continue.
  private func adopts(
    _ app: AppHarness, _ instances: Int, at location: SourceLocation = #_sourceLocation
  ) async {
    let outcome = await app.app.reloadManifest()
    #expect(outcome == .adopted(instances: instances), "\(outcome)", sourceLocation: location)
  }

  private func app() async throws -> AppHarness {
    try await AppHarness(manifest: path, options: bench.options)
  }

  @Test("Effects of instances that stay continue, although nodes have other places")
  func effects() async throws {
    let app = try await app()
    try await app.type("@countdown")
    await app.clock.advance(by: .seconds(1))
    #expect(await app.screen.text.contains("2 s left"))
    // Another order, one node less and one more.
    try save(
      (
        "  tree:      {",
        "  first: { feature: MockGood.Countdown, with: { seconds: 9 } }\n  tree:      {"
      ),
      ("  broken:    { feature: MockThrows.Broken }\n", ""), (", MockThrows]", "]"),
      ("push: broken", "present: first"),
      ("from: countdown, action", "from: [countdown, first], action"))
    await adopts(app, 2)
    await app.clock.advance(by: .seconds(1))
    #expect(await app.screen.text.contains("1 s left"))
    await app.clock.advance(by: .seconds(1))
    #expect(await app.path == "/tree")
    try await app.type("@broken")
    #expect(await app.screen.text.contains("9 s left"))
    #expect(await app.app.loadedPlugins == ["MockGood"])
  }

  @Test(
    "One that was refused for a plugin's missing file is read again when that is there",
    .timeLimit(.minutes(30)), arguments: [".", "./later"])
  func missingPlugin(folder: String) async throws {
    let app = try await app()
    let (changes, continuation) = AsyncStream<FileChange>.makeStream()
    try await app.app.followFiles { continuation.yield($0) }
    try save(
      (", MockThrows]", ", MockThrows, { path: \(folder)/libMockSlow.so }]"),
      ("  broken:    {", "  counter:   { feature: MockSlow.Counter }\n  broken:    {"),
      ("push: broken", "push: counter"))
    var outcomes = changes.makeAsyncIterator()
    let rejection = try #require(await outcomes.next()?.outcome.rejection)
    #expect(rejection.message.contains("can't load plugin 'MockSlow'"), "\(rejection.message)")
    try await bench.shell(
      "mkdir -p \(folder) && cp $BUILD/libMockSlow.so new && mv new \(folder)/libMockSlow.so")
    // What it was refused for is followed from then on, and looked at once more.
    while case .refused? = await outcomes.next()?.outcome {}
    #expect(await app.app.loadedPlugins == ["MockGood", "MockSlow", "MockThrows"])
    try await app.app.followFiles(nil)
  }

  @Test(
    "A link that leads elsewhere is a change, also in a folder that is one",
    .timeLimit(.minutes(30))
  )
  func relinked() async throws {
    try await bench.shell(
      """
      mkdir inner && mv app.yaml inner/one.yaml
      ln -s one.yaml inner/app.yaml && ln -s inner linked
      """
    )
    let app = try await AppHarness(
      manifest: bench.folder + "/linked/app.yaml", options: bench.options)
    let (changes, continuation) = AsyncStream<FileChange>.makeStream()
    try await app.app.followFiles { continuation.yield($0) }
    try await bench.shell("sed 's/push: broken/push: countdown/' inner/one.yaml > inner/two.yaml")
    try await bench.shell("ln -s two.yaml inner/new && mv -T inner/new inner/app.yaml")
    var outcomes = changes.makeAsyncIterator()
    let rejection = try #require(await outcomes.next()?.outcome.rejection)
    #expect(rejection.message.contains("seconds"), "\(rejection.message)")
    try await app.app.followFiles(nil)
  }

  @Test(
    "A link to the folder of the manifest's folder that leads elsewhere is a change",
    .timeLimit(.minutes(30)))
  func swapped() async throws {
    try await bench.shell(
      """
      mkdir -p v1/share v2/share && mv app.yaml v1/share && ln -s v1 first && ln -s first current
      sed 's/push: broken/push: countdown/' v1/share/app.yaml > v2/share/app.yaml
      """)
    let app = try await AppHarness(
      manifest: bench.folder + "/current/share/app.yaml", options: bench.options)
    let (changes, continuation) = AsyncStream<FileChange>.makeStream()
    try await app.app.followFiles { continuation.yield($0) }
    var outcomes = changes.makeAsyncIterator()
    // In between it may be read once more, and found to be as it was.
    for link in ["first", "current"] {
      try await bench.shell("ln -s v2 new && mv -T new \(link)")
      while true {
        let change = try #require(await outcomes.next())
        if case .refused = change.outcome { break }
      }
      try await bench.shell("ln -s v1 new && mv -T new \(link)")
      while true {
        let change = try #require(await outcomes.next())
        if case .restored = change.outcome { break }
      }
    }
    try await app.app.followFiles(nil)
  }

  @Test("Many changes of a running app leave it as each manifest says")
  func many() async throws {
    let app = try await app()
    for round in 0..<40 {
      try await app.type("@branch\(round % 3 + 1)")
      if round % 2 == 0 {
        try save(
          ("  tree:      {", "  extra\(round): { feature: MockSlow.Counter }\n  tree:      {"),
          ("push: broken", "push: extra\(round)"), (", MockThrows]", ", MockThrows, MockSlow]"))
      } else {
        try save()
      }
      let outcome = await app.app.reloadManifest()
      guard case .adopted = outcome else {
        Issue.record("round \(round): \(outcome)")
        return
      }
      if round % 4 == 0 {
        try await app.type("@broken")
        #expect(await app.app.currentNode == "extra\(round)")
        try await app.type(":back")
      }
    }
    #expect(await app.app.currentNode == "tree")
    #expect(await app.app.instanceCount == 41)
    // Names of nodes that are gone are still known to the log.
    _ = await app.app.actionRecords()
    _ = await app.app.navigationEvents()
  }
}

extension App {
  fileprivate var loadedPlugins: [String] { current.plugins.map(\.name) }
}
