internal import AppCheck
internal import AppCore
internal import Glibc
internal import Manifest
internal import PluginHost
internal import Support

/// An app's folder: a manifest, the folders of its plugins' sources, and the scripts that test it.
///
/// Its life, in this order:
/// 1. ``init(_:)`` finds the manifest: a given one, or the only one in a folder.
/// 2. ``plugins(options:)`` reads it without loading plugins, and lists those that it names by
///    folder.
/// 3. ``PluginBuild`` builds them, and ``test(options:arguments:)`` runs all tests.
struct Workspace: Sendable {
  let manifest: String
  var folder: String { FilePath.folder(of: manifest) }

  /// The name of the workspace's manifest in a folder with several.
  static let manifestFile = "app.yaml"

  /// Finds the workspace of a manifest or a folder; `nil` for the working directory.
  ///
  /// - Throws: ``CommandError`` if the folder has no manifest, or several.
  init(_ path: String?) throws(CommandError) {
    if let path, !FilePath.isFolder(path) {
      manifest = path
      return
    }
    let folder = path ?? "."
    let own = FilePath.join(folder, Self.manifestFile)
    guard FilePath.resolved(own) == nil else {
      manifest = own
      return
    }
    let found = Self.manifests(in: folder)
    let title = folder == "." ? "this folder" : "the folder '\(folder)'"
    guard found.count < 2 else {
      throw CommandError(
        "\(title) has \(found.count) manifests: \(found.joined(separator: ", ")); name the one that is "
          + "meant")
    }
    guard let name = found.first else {
      throw CommandError(
        "\(title) has no manifest of an app; name one, or create an app with `appcore new console`",
        exitStatus: 66)
    }
    manifest = FilePath.join(folder, name)
  }

  /// The manifests of apps in a folder: files that have `appcore` and `start`.
  private static func manifests(in folder: String) -> [String] {
    (FilePath.names(in: folder) ?? []).sorted().filter { name in
      guard name.hasSuffix(".yaml") || name.hasSuffix(".yml"), !name.hasPrefix("."),
        let bytes = try? ManifestLoader.bytes(ofFile: FilePath.join(folder, name))
      else { return false }
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      return ["appcore:", "start:"].allSatisfy { key in
        lines.contains { $0.starts(with: key.utf8) }
      }
    }
  }

  /// The plugins that the manifest names by their folders, each once, in its order.
  ///
  /// - Throws: ``AppLoadError`` if it can't be read or has errors.
  func plugins(options: AppOptions) throws(AppLoadError) -> [WorkspacePlugin] {
    var options = options
    options.leavesOutPlugins = true
    options.allowsUnsetVariables = true
    let report = try ManifestReport(manifest, options: options)
    guard !report.hasErrors, let manifest = report.manifest else { throw .problems(report) }
    var seen: Set<String> = []
    return manifest.plugins.compactMap { plugin in
      // A missing folder is listed, too, and reported when it is built.
      guard case .path(let path, _) = plugin.reference, !path.hasSuffix(".so"),
        FilePath.isFolder(path) || FilePath.resolved(path) == nil,
        seen.insert(FilePath.resolved(path) ?? path).inserted
      else { return nil }
      return WorkspacePlugin(
        name: PluginFolder.name(at: path) ?? FilePath.name(of: path), folder: path)
    }
  }

  /// The scripts that test the app: `tests/*.script`, sorted.
  var scripts: [String] {
    let folder = FilePath.join(folder, "tests")
    return (FilePath.names(in: folder) ?? []).filter { $0.hasSuffix(".script") }.sorted()
      .map { FilePath.join(folder, $0) }
  }
}

/// A plugin that a manifest names by the folder of its sources.
struct WorkspacePlugin: Hashable, Sendable {
  /// The plugin's name, or the folder's if the sources don't declare one.
  let name: String
  let folder: String

  /// Whether the folder has tests that `swift test` runs; an empty `Tests/NAME` has none.
  var hasTests: Bool {
    FilePath.resolved(folder + "/Package.swift") != nil && Self.hasSources(folder + "/Tests")
  }

  private static func hasSources(_ folder: String, depth: Int = 0) -> Bool {
    (FilePath.names(in: folder) ?? []).contains { name in
      guard !name.hasPrefix("."), depth < 16 else { return false }
      return name.hasSuffix(".swift") || hasSources(folder + "/" + name, depth: depth + 1)
    }
  }
}

extension Workspace {
  /// Tests the manifest, then its plugins, and then its scripts, and prints each suite when it has
  /// ended.
  ///
  /// The options are those that `arguments` were parsed to.
  ///
  /// - Throws: ``AppLoadError`` if the manifest can't be read.
  func test(options: AppOptions, arguments: [String]) async throws(AppLoadError) -> TestReport {
    var tests = TestReport()
    func run(
      _ name: String, _ test: () async throws(AppLoadError) -> TestReport.Suite
    ) async throws(AppLoadError) {
      // Also into a pipe: compiling takes a while, in which nothing else is printed.
      Console.printError("appcore: testing \(SafeText.line(name)) …")
      let start = ContinuousClock.now
      var suite = try await test()
      suite.duration = start.duration(to: .now)
      if suite.kind != "plugin" { suite.tests[0].duration = suite.duration }
      tests.suites.append(suite)
      Console.print(suite.text, terminator: "")
    }
    var plugins: [WorkspacePlugin] = []
    try await run(manifest) { () async throws(AppLoadError) in
      do throws(AppLoadError) {
        plugins = try self.plugins(options: options)
      } catch {
        guard case .problems = error else { throw error }
      }
      _ = await PluginBuild.run(plugins, .debug, options: options)
      var checking = options
      checking.comparesBuilds = true
      let report = try ManifestReport(manifest, options: checking)
      return TestReport.Suite(
        "check", manifest, report.hasErrors ? .failed(report.text) : .passed)
    }
    for plugin in plugins where plugin.hasTests {
      try await run(plugin.name) { Self.swiftTest(plugin, options.environment) }
    }
    for script in scripts {
      try await run(script) {
        TestReport.Suite("script", script, runScript(script, options.environment, arguments))
      }
    }
    return tests
  }

  /// Runs a script.
  ///
  /// One that leaves something in the app's folder fails: the next run would find it.
  private func runScript(
    _ script: String, _ environment: [String: String], _ arguments: [String]
  ) -> TestReport.Outcome {
    let before = files(in: folder)
    let outcome = runAtHome(script, environment, arguments)
    guard outcome == .passed,
      let changed = files(in: folder).filter({ before[$0.key] != $0.value }).keys.min()
    else { return outcome }
    return .failed(
      "it has written '\(changed)', which the next run would find; in 'tests/vars', give the "
        + "variable that leads there another value, such as 'data=~/data'")
  }

  /// The files of a folder, with what changes when they do; hidden ones are left out.
  private func files(in folder: String) -> [String: [Int]] {
    var found: [String: [Int]] = [:]
    for name in FilePath.names(in: folder) ?? [] where !name.hasPrefix(".") {
      let path = FilePath.join(folder, name)
      guard let status = FilePath.status(path, followsLinks: false) else { continue }
      if status.isFolder {
        found.merge(files(in: path)) { $1 }
      } else {
        let time = status.st_mtim
        found[path] = [Int(status.st_ino), Int(status.st_size), time.tv_sec, time.tv_nsec]
      }
    }
    return found
  }

  private func runAtHome(
    _ script: String, _ environment: [String: String], _ arguments: [String]
  ) -> TestReport.Outcome {
    do throws(SystemError) {
      let home = try ScriptHome(for: script)
      defer { home.remove() }
      // This program.
      let (end, output, _) = Spawn.run(
        FilePath.resolved("/proc/self/exe") ?? "appcore",
        ["run", manifest, "--script", script] + home.arguments + arguments,
        environment: home.environment(environment).merging(["NO_COLOR": "1"]) { $1 })
      return end == .status(0) ? .passed : .failed(Self.tail(output, end))
    } catch {
      return .failed("can't set up its home folder: \(error)")
    }
  }

  /// Runs a plugin's tests with the package manager.
  private static func swiftTest(
    _ plugin: WorkspacePlugin, _ environment: [String: String]
  ) -> TestReport.Suite {
    var suite = TestReport.Suite(name: plugin.name, kind: "plugin", tests: [])
    func fail(_ reason: String) {
      suite.tests.append(TestReport.Test(name: "swift test", outcome: .failed(reason)))
    }
    guard let swift = Spawn.find("swift", environment: environment) else {
      fail("there is no 'swift' on the PATH; install Swift \(SDK.compilerVersion)")
      return suite
    }
    let folder = FilePath.resolved(plugin.folder) ?? plugin.folder
    let events = folder + "/.build/appcore/test-events.json"
    FilePath.makeFolder(folder + "/.build/appcore")
    unlink(events)
    // The package finds this appcore. The full report of a crash would push its reason out of
    // ``tail(_:_:)``.
    let backtrace = "enable=yes,color=no,registers=none,images=none,limit=16"
    let (end, output, _) = Spawn.run(
      swift, ["test", "--event-stream-output-path", events, "--event-stream-version", "0"],
      environment: ["SWIFT_BACKTRACE": backtrace].merging(environment) { $1 }.merging([
        "APPCORE_TREE": Scaffold.tree(PluginFolder.toolkit), "NO_COLOR": "1",
      ]) { $1 }, folder: folder)
    let bytes = (try? WholeFile.read(events)) ?? []
    unlink(events)
    suite.tests = [TestReport.Test](events: String(decoding: bytes, as: UTF8.self))
    // It did not compile, or tests of XCTest failed, which write no events.
    if end != .status(0), !suite.tests.contains(where: \.outcome.isFailure) {
      fail(tail(output, end))
    }
    return suite
  }

  /// A process's first errors, its last lines, and how it ended.
  private static func tail(_ output: String, _ end: ProcessEnd) -> String {
    let all = output.split(separator: "\n", omittingEmptySubsequences: false)
    let cut = all.dropLast(40)
    let errors = cut.filter { $0.contains("error: ") }.prefix(8)
    let lines = errors + (cut.isEmpty ? [] : ["…"]) + all.suffix(40)
    let text = lines.joined(separator: "\n")
    let trimmed = text.lastIndex { !$0.isWhitespace }.map { "\(text[...$0])\n" } ?? ""
    return trimmed + end.words
  }
}

extension TestReport.Suite {
  /// A suite whose only test is itself.
  fileprivate init(_ kind: String, _ name: String, _ outcome: TestReport.Outcome) {
    self.init(name: name, kind: kind, tests: [TestReport.Test(name: name, outcome: outcome)])
  }
}
