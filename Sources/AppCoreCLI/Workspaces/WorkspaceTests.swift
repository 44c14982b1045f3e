internal import AppCheck
internal import AppCore
internal import Glibc
internal import PluginHost
internal import Support

/// Tests a workspace: first its manifest, then its plugins, and then its scripts.
struct WorkspaceTests: Sendable {
  private let workspace: Workspace
  private let options: AppOptions
  /// The program that runs scripts, which is this one.
  private let program: String
  /// The arguments that ``options`` were parsed from.
  private let arguments: [String]

  init(_ workspace: Workspace, options: AppOptions, arguments: [String]) {
    self.workspace = workspace
    self.options = options
    self.arguments = arguments
    program = FilePath.resolved("/proc/self/exe") ?? "appcore"
  }

  /// Runs all tests; calls `willRun` with the name of each suite before it runs, and `report` with
  /// the suite when it has ended.
  ///
  /// - Throws: ``AppLoadError`` if the manifest can't be read.
  func run(
    willRun: @Sendable (String) -> Void, report: (TestReport.Suite) -> Void
  ) async throws(AppLoadError) -> TestReport {
    var tests = TestReport()
    // When the suite that runs has begun.
    var start = ContinuousClock.now
    func begin(_ name: String) {
      start = .now
      willRun(name)
    }
    func add(_ suite: TestReport.Suite) {
      var suite = suite
      suite.duration = start.duration(to: .now)
      if suite.kind != "plugin" { suite.tests[0].duration = suite.duration }
      tests.suites.append(suite)
      report(suite)
    }
    begin(workspace.manifest)
    var plugins: [WorkspacePlugin] = []
    do throws(AppLoadError) {
      plugins = try workspace.plugins(options: options)
    } catch {
      guard case .problems = error else { throw error }
    }
    _ = await PluginBuild.run(plugins, .debug, options: options)
    add(try check())
    for plugin in plugins where plugin.hasTests {
      begin(plugin.name)
      add(swiftTest(plugin))
    }
    for script in workspace.scripts {
      begin(script)
      add(run(script))
    }
    return tests
  }

  /// A suite whose only test is itself.
  private func suite(
    _ kind: String, _ name: String, _ outcome: TestReport.Outcome
  ) -> TestReport.Suite {
    TestReport.Suite(
      name: name, kind: kind, tests: [TestReport.Test(name: name, outcome: outcome)])
  }

  private func check() throws(AppLoadError) -> TestReport.Suite {
    var options = options
    options.comparesBuilds = true
    let report = try ManifestReport(workspace.manifest, options: options)
    return suite("check", workspace.manifest, report.hasErrors ? .failed(report.text) : .passed)
  }

  private func run(_ script: String) -> TestReport.Suite {
    do throws(SystemError) {
      let home = try ScriptHome(for: script)
      defer { home.remove() }
      let process = ToolProcess(
        executable: program,
        arguments: ["run", workspace.manifest, "--script", script] + home.arguments + arguments,
        environment: home.environment(options.environment).merging(["NO_COLOR": "1"]) { $1 })
      let (end, output) = process.run()
      return suite(
        "script", script, end == .status(0) ? .passed : .failed(Self.tail(output, end)))
    } catch {
      return suite("script", script, .failed("can't set up its home folder: \(error)"))
    }
  }

  /// Runs a plugin's tests with the package manager.
  private func swiftTest(_ plugin: WorkspacePlugin) -> TestReport.Suite {
    var suite = TestReport.Suite(name: plugin.name, kind: "plugin", tests: [])
    func fail(_ reason: String) {
      suite.tests.append(TestReport.Test(name: "swift test", outcome: .failed(reason)))
    }
    guard let swift = ToolProcess.find("swift", environment: options.environment) else {
      fail("there is no 'swift' on the PATH; install Swift \(SDK.compilerVersion)")
      return suite
    }
    let folder = FilePath.resolved(plugin.folder) ?? plugin.folder
    let events = folder + "/.build/appcore/test-events.json"
    _ = mkdir(folder + "/.build", 0o777)
    _ = mkdir(folder + "/.build/appcore", 0o777)
    unlink(events)
    let process = ToolProcess(
      executable: swift,
      arguments: ["test", "--event-stream-output-path", events, "--event-stream-version", "0"],
      environment: options.environment.merging(environment) { $1 }, folder: folder)
    let (end, output) = process.run()
    let bytes = (try? WholeFile.read(events)) ?? []
    unlink(events)
    suite.tests = [TestReport.Test](events: String(decoding: bytes, as: UTF8.self))
    // It did not compile, or tests of XCTest failed, which write no events.
    if end != .status(0), !suite.tests.contains(where: \.outcome.isFailure) {
      fail(Self.tail(output, end))
    }
    return suite
  }

  /// The environment in which the plugin's package finds this appcore.
  private var environment: [String: String] {
    let tree = Scaffold.tree(PluginFolder.toolkit)
    var variables = ["APPCORE_TREE": tree, "NO_COLOR": "1"]
    // The full report of a crash would push its reason out of ``tail(_:_:)``.
    if options.environment["SWIFT_BACKTRACE"] == nil {
      variables["SWIFT_BACKTRACE"] = "enable=yes,color=no,registers=none,images=none,limit=16"
    }
    return variables
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
