internal import AppCore
import Foundation
internal import Navigation
internal import Support
import TestSupport
import Testing

@testable internal import AppCoreHost

/// When the code of plugins is loaded.
@Suite("Lazy plugins", .notSanitized("without a scan nothing is loaded before it is needed"))
struct LazyLoadingTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// An app that begins with MockGood and has MockFaults behind a button.
  private func manifest(load: String? = nil, with: String? = nil) throws -> String {
    var entry = "MockFaults"
    if load != nil || with != nil {
      entry =
        "{ name: MockFaults" + (load.map { ", load: \($0)" } ?? "")
        + (with.map { ", with: \($0)" } ?? "") + " }"
    }
    return try bench.write(
      """
      appcore: 1
      name: lazy
      plugins: [MockGood, \(entry)]
      start: tree
      nodes:
        tree: { feature: MockGood.Tree, with: { level: 0 } }
        page: { feature: MockFaults.Page }
      routes:
        - { from: tree, action: brokenRequested, push: page }
        - { from: tree, action: [opened, asked, countdownRequested], do: ignore }
        - { from: page, action: left, do: back }
      links:
        - { path: page, open: [tree, page] }

      """, to: "app.yaml")
  }

  private func app(_ path: String, scans: Bool = true) async throws -> App {
    var options = bench.options
    if !scans { options.scanner = nil }
    let app = App(try LoadedApp.load(path, options: options))
    try await app.begin()
    await app.converse()
    return app
  }

  private func send(_ line: String, to app: App) async {
    _ = await app.send(line: Array(line.utf8))
  }

  @Test("A plugin that the start does not need is loaded when a node of it is first shown")
  func whenNeeded() async throws {
    let app = try await app(try manifest())
    #expect(app.loaded.isLoaded(plugin: "MockGood") == true)
    #expect(app.loaded.isLoaded(plugin: "MockFaults") == false)
    // What the graph and its tools want to know needs no code.
    #expect(await app.delegates(of: "page")?.map(\.name) == ["left"])
    await send("@broken", to: app)
    #expect(await app.currentNode == "page")
    #expect(app.loaded.isLoaded(plugin: "MockFaults") == true)
    await send("@leave", to: app)
    #expect(await app.currentNode == "tree")
    await app.end()
  }

  @Test("A link loads what it needs")
  func link() async throws {
    let app = try await app(try manifest())
    #expect(await app.open("page") == .opened)
    #expect(app.loaded.isLoaded(plugin: "MockFaults") == true)
    await app.end()
  }

  @Test("An eager one is loaded before the app begins, and so is everything where nothing scans")
  func eager() async throws {
    var app = try await app(try manifest(load: "eager"))
    #expect(app.loaded.isLoaded(plugin: "MockFaults") == true)
    await app.end()
    app = try await self.app(try manifest(load: "lazy"), scans: false)
    #expect(app.loaded.isLoaded(plugin: "MockFaults") == true)
    await app.end()
  }

  @Test(
    "A file that is gone, changed or another one when it is needed refuses the step, and only that",
    arguments: [
      (
        "rm $FILE",
        "no such file or directory; build the plugin, or correct the path [plugin-not-found]"
      ),
      (": > $FILE", "the file is empty; build or copy the file again [plugin-empty]"),
      (
        "cp $BUILD/libMockGood.so $FILE",
        "this is the plugin 'MockGood', not 'MockFaults'; ask for 'MockGood', or name its entry "
          + "'appcore_plugin_MockFaults' [plugin-other-name]"
      ),
      (
        "cp $FILE new; echo x >> new; mv new $FILE",
        "the file has changed since the manifest was checked; start the app again, so that its "
          + "manifest is checked with the new file [plugin-changed]"
      ),
      (
        "mv $FILE away; mkdir $FILE",
        "this is a directory; name the plugin's `.so` file [plugin-not-a-file]"
      ),
    ])
  func changed(_ command: String, _ message: String) async throws {
    let file = "plugins/libMockFaults.so"
    try await bench.shell("cp $BUILD/libMockFaults.so \(file)")
    let app = try await app(try manifest())
    try await bench.shell(command.replacingOccurrences(of: "$FILE", with: file))
    let before = await app.state.instances.count
    await send("@broken", to: app)
    let reason =
      "'page' can't be shown: the plugin 'MockFaults' can't be loaded: "
      + (message.contains("not-found") ? "" : "$DIR/\(file): ") + message
    let events = await app.navigationEvents().filter {
      if case .refused = $0.outcome { true } else { false }
    }
    guard case .refused(let node, let action, let refusal)? = events.last?.outcome else {
      Issue.record("\(events)")
      return
    }
    #expect(events.count == 1)
    #expect(
      [node, action, refusal.code] == ["tree", "brokenRequested", "unavailable"])
    #expect(bench.portable(refusal.message) == reason)
    #expect(await app.currentNode == "tree")
    #expect(await app.state.instances.count == before)
    // The host continues.
    await send("@branch1", to: app)
    #expect(await app.currentNode == "tree")
    await app.end()
  }

  @Test("A file that comes back is loaded after all")
  func comesBack() async throws {
    let file = "plugins/libMockFaults.so"
    try await bench.shell("cp $BUILD/libMockFaults.so \(file)")
    let app = try await app(try manifest())
    try await bench.shell("mv \(file) away")
    await send("@broken", to: app)
    #expect(await app.currentNode == "tree")
    try await bench.shell("mv away \(file)")
    await send("@broken", to: app)
    #expect(await app.currentNode == "page")
    await app.end()
  }

  @Test("A lazy plugin that throws when it is made refuses the step")
  func throwing() async throws {
    let app = try await app(try manifest(with: "{ failure: no licence }"))
    await send("@broken", to: app)
    #expect(await app.currentNode == "tree")
    let texts = await app.navigationEvents().compactMap { event -> String? in
      if case .refused(_, _, let refusal) = event.outcome { refusal.message } else { nil }
    }
    #expect(
      texts == ["'page' can't be shown: the plugin 'MockFaults' can't be made: no licence"])
    await app.end()
  }

  @Test("Checking loads no plugin, and running loads what the start needs")
  func libraries() async throws {
    let path = try manifest()
    #expect(try await bench.appcore(["check", path]).status == 0)
    // The dynamic loader's own account of what each process has it load.
    func loaded(_ arguments: [String]) async throws -> Set<String> {
      let folder = "trace-\(UUID().uuidString)"
      try await bench.shell(
        "mkdir \(folder); LD_DEBUG=files LD_DEBUG_OUTPUT=\(folder)/trace $BUILD/appcore "
          + arguments.joined(separator: " "))
      let text = try await bench.shell("cat \(folder)/*")
      return Set(text.matches(of: /calling init: [^\n]*\/(Mock[A-Za-z]+)-/).map { String($0.1) })
    }
    let arguments = ["--plugin-path plugins"]
    #expect(try await loaded(["check", path] + arguments) == [])
    #expect(try await loaded(["graph", path] + arguments) == [])
    #expect(try await loaded(["run", path, "-c :path"] + arguments) == ["MockGood"])
    #expect(
      try await loaded(["run", path, "-c @broken"] + arguments) == ["MockGood", "MockFaults"])
  }

  @Test("`:plugins` says what is loaded")
  func plugins() async throws {
    let result = try await bench.appcore(
      ["run", try manifest()], input: ":plugins\n@broken\n:plugins\n")
    #expect(result.status == 0)
    #expect(result.output.components(separatedBy: "not loaded yet").count == 2)
    #expect(result.output.components(separatedBy: "scanned: sound").count == 5)
  }
}
