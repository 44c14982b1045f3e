public import AppCheck
internal import AppCore
internal import Glibc
internal import PluginHost
internal import Support

/// Tests a workspace: first its manifest, then its plugins, and then its scripts.
public struct WorkspaceTests: Sendable {
  private let workspace: Workspace
  private let options: AppOptions
  /// The program that runs scripts, which is this one.
  private let program: String
  /// The arguments that ``options`` were parsed from.
  private let arguments: [String]

  /// - Parameters:
  ///   - workspace: the workspace.
  ///   - options: the options for reading the manifest.
  ///   - arguments: the arguments that the options were parsed from, to run scripts with.
  public init(_ workspace: Workspace, options: AppOptions, arguments: [String]) {
    self.workspace = workspace
    self.options = options
    self.arguments = arguments
    program = FilePath.resolved("/proc/self/exe") ?? "appcore"
  }

  /// Runs all tests.
  ///
  /// - Parameters:
  ///   - willRun: called before a suite runs, with its name, such as `Greeter`.
  ///   - report: called with each suite when it has ended.
  /// - Returns: the results of all tests.
  /// - Throws: ``AppLoadError`` if the manifest can't be read.
  public func run(
    willRun: @Sendable (String) -> Void, report: (TestReport.Suite) -> Void
  ) async throws(AppLoadError) -> TestReport {
    var tests = TestReport()
    func add(_ suite: TestReport.Suite) {
      tests.suites.append(suite)
      report(suite)
    }
    willRun(workspace.manifest)
    let start = ContinuousClock.now
    var plugins: [WorkspacePlugin] = []
    do throws(AppLoadError) {
      plugins = try workspace.plugins(options: options)
    } catch {
      guard case .problems = error else { throw error }
    }
    _ = await PluginBuild.run(plugins, .debug, options: options)
    add(try check(since: start))
    for plugin in plugins where plugin.hasTests {
      willRun(plugin.name)
      add(swiftTest(plugin))
    }
    for script in workspace.scripts {
      willRun(script)
      add(run(script))
    }
    return tests
  }

  private func check(since start: ContinuousClock.Instant) throws(AppLoadError) -> TestReport.Suite
  {
    var options = options
    options.comparesBuilds = true
    let report = try ManifestReport(workspace.manifest, options: options)
    let duration = start.duration(to: .now)
    let outcome: TestReport.Outcome = report.hasErrors ? .failed(report.text) : .passed
    return TestReport.Suite(
      name: workspace.manifest, kind: "check",
      tests: [TestReport.Test(name: workspace.manifest, outcome: outcome, duration: duration)],
      duration: duration)
  }

  private func run(_ script: String) -> TestReport.Suite {
    let start = ContinuousClock.now
    let outcome: TestReport.Outcome
    do throws(SystemError) {
      let home = try ScriptHome(for: script)
      defer { home.remove() }
      let process = ToolProcess(
        executable: program,
        arguments: ["run", workspace.manifest, "--script", script] + home.arguments + arguments,
        environment: home.environment(options.environment).merging(["NO_COLOR": "1"]) { $1 })
      let (end, output) = process.run()
      outcome = end == .status(0) ? .passed : .failed(Self.tail(output, end))
    } catch {
      outcome = .failed("can't set up its home folder: \(error)")
    }
    let duration = start.duration(to: .now)
    return TestReport.Suite(
      name: script, kind: "script",
      tests: [TestReport.Test(name: script, outcome: outcome, duration: duration)],
      duration: duration)
  }

  /// Runs a plugin's tests with the package manager.
  private func swiftTest(_ plugin: WorkspacePlugin) -> TestReport.Suite {
    let start = ContinuousClock.now
    func suite(_ tests: [TestReport.Test]) -> TestReport.Suite {
      TestReport.Suite(
        name: plugin.name, kind: "plugin", tests: tests, duration: start.duration(to: .now))
    }
    func failure(_ reason: String) -> TestReport.Suite {
      suite([TestReport.Test(name: "swift test", outcome: .failed(reason), duration: .zero)])
    }
    guard let swift = ToolProcess.find("swift", environment: options.environment) else {
      return failure("there is no 'swift' on the PATH; install Swift \(SDK.compilerVersion)")
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
    var tests = SwiftTestEvents(String(decoding: bytes, as: UTF8.self)).tests
    // It did not compile, or tests of XCTest failed, which write no events.
    if end != .status(0), !tests.contains(where: \.outcome.isFailure) {
      tests.append(
        TestReport.Test(
          name: "swift test", outcome: .failed(Self.tail(output, end)), duration: .zero))
    }
    return suite(tests)
  }

  /// The environment in which the plugin's package finds this appcore.
  private var environment: [String: String] {
    let toolkit = PluginFolder.toolkit
    let tree =
      toolkit.isCheckout ? toolkit.libraryFolder : FilePath.folder(of: toolkit.libraryFolder)
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
