internal import AppCheck
internal import AppCore
internal import Glibc
internal import PluginHost
internal import Support

extension Workspace {
  /// Tests the manifest, then its plugins, and then its scripts; calls `willRun` with the name of each
  /// suite before it runs, and `report` with the suite when it has ended.
  ///
  /// The options are those that `arguments` were parsed to.
  ///
  /// - Throws: ``AppLoadError`` if the manifest can't be read.
  func test(
    options: AppOptions, arguments: [String], willRun: @Sendable (String) -> Void,
    report: (TestReport.Suite) -> Void
  ) async throws(AppLoadError) -> TestReport {
    var tests = TestReport()
    func run(
      _ name: String, _ test: () async throws(AppLoadError) -> TestReport.Suite
    ) async throws(AppLoadError) {
      willRun(name)
      let start = ContinuousClock.now
      var suite = try await test()
      suite.duration = start.duration(to: .now)
      if suite.kind != "plugin" { suite.tests[0].duration = suite.duration }
      tests.suites.append(suite)
      report(suite)
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
      try await run(script) { runScript(script, options.environment, arguments) }
    }
    return tests
  }

  /// Runs a script.
  ///
  /// One that leaves something in the app's folder fails: the next run would find it.
  private func runScript(
    _ script: String, _ environment: [String: String], _ arguments: [String]
  ) -> TestReport.Suite {
    let before = files(in: FilePath.folder(of: manifest))
    let suite = runAtHome(script, environment, arguments)
    let after = files(in: FilePath.folder(of: manifest))
    guard !suite.tests.contains(where: \.outcome.isFailure),
      let changed = after.filter({ before[$0.key] != $0.value }).keys.min()
    else { return suite }
    return TestReport.Suite(
      "script", script,
      .failed(
        "it has written '\(changed)', which the next run would find; in 'tests/vars', give the "
          + "variable that leads there another value, such as 'data=~/data'"))
  }

  /// The files of a folder, with what changes when they do; hidden ones are left out.
  private func files(in folder: String) -> [String: [Int]] {
    var found: [String: [Int]] = [:]
    for name in FilePath.names(in: folder) ?? [] where !name.hasPrefix(".") {
      let path = FilePath.join(folder, name)
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
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
  ) -> TestReport.Suite {
    do throws(SystemError) {
      let home = try ScriptHome(for: script)
      defer { home.remove() }
      // This program.
      let (end, output, _) = Spawn.run(
        FilePath.resolved("/proc/self/exe") ?? "appcore",
        ["run", manifest, "--script", script] + home.arguments + arguments,
        environment: home.environment(environment).merging(["NO_COLOR": "1"]) { $1 })
      return TestReport.Suite(
        "script", script, end == .status(0) ? .passed : .failed(Self.tail(output, end)))
    } catch {
      return TestReport.Suite(
        "script", script, .failed("can't set up its home folder: \(error)"))
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
    _ = mkdir(folder + "/.build", 0o777)
    _ = mkdir(folder + "/.build/appcore", 0o777)
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
    let text = lines.joined(separator: "\n").trimmingSuffix(while: \.isWhitespace)
    return (text.isEmpty ? "" : text + "\n") + end.words
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    var end = endIndex
    while end > startIndex, isTrimmed(self[index(before: end)]) { end = index(before: end) }
    return String(self[..<end])
  }
}

extension TestReport.Suite {
  /// A suite whose only test is itself.
  fileprivate init(_ kind: String, _ name: String, _ outcome: TestReport.Outcome) {
    self.init(name: name, kind: kind, tests: [TestReport.Test(name: name, outcome: outcome)])
  }
}
