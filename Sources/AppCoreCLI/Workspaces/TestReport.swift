internal import AppCore
internal import Glibc
internal import PluginHost
internal import Supervision
internal import Support

/// The results of a workspace's tests.
struct TestReport: Sendable {
  /// The tests of one plugin, or a script, or the check of the manifest.
  struct Suite: Sendable {
    let name: String
    /// `check`, `plugin` or `script`.
    let kind: String
    var tests: [Test]
    var duration = Duration.zero
  }

  struct Test: Sendable {
    let name: String
    let outcome: Outcome
    var duration = Duration.zero
  }

  enum Outcome: Hashable, Sendable {
    case passed
    case skipped
    /// With the messages to print.
    case failed(String)

    var isFailure: Bool { if case .failed = self { true } else { false } }
  }

  /// The suites, in the order in which they ran.
  var suites: [Suite] = []

  private var tests: [Test] { suites.flatMap(\.tests) }

  /// 65 if a test failed, otherwise 0.
  var exitStatus: Int32 { tests.contains(where: \.outcome.isFailure) ? 65 : 0 }

  /// The last line, with the numbers of tests that passed and failed.
  var summary: String { Self.summary(of: tests) }

  /// The numbers of tests that passed or failed, and were skipped.
  fileprivate static func summary(of tests: [Test]) -> String {
    let failed = tests.count { $0.outcome.isFailure }
    let skipped = tests.count { $0.outcome == .skipped }
    let end = skipped > 0 ? ", \(skipped) skipped" : ""
    let run = tests.count - skipped
    return failed > 0
      ? "\(failed) of \(run) tests failed\(end)"
      : "\(counted(run, "test")) passed\(end)"
  }
}

extension TestReport.Suite {
  /// The suite's line and the messages of its failures.
  var text: String {
    let failures = tests.filter(\.outcome.isFailure)
    let state =
      kind == "plugin"
      ? TestReport.summary(of: tests) : failures.isEmpty ? "passed" : "failed"
    var text = SafeText.line("\(kind) \(name): \(state)") + "\n"
    for test in failures {
      guard case .failed(let reason) = test.outcome else { continue }
      if kind == "plugin" { text += "  " + SafeText.line(test.name) + "\n" }
      for line in reason.split(separator: "\n", omittingEmptySubsequences: false) {
        text += line.isEmpty ? "\n" : "    " + SafeText.line(String(line)) + "\n"
      }
    }
    return text
  }
}

extension TestReport {
  /// The report in JUnit's XML format, for continuous integration.
  var junit: String {
    let total = suites.map(\.duration).reduce(.zero, +)
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites\(Self.counts(tests)) time=\"\(Self.seconds(total))\">\n"
    for suite in suites {
      text += "  <testsuite name=\"\(Self.escaped(suite.name))\"\(Self.counts(suite.tests))"
      text += " time=\"\(Self.seconds(suite.duration))\">\n"
      for test in suite.tests {
        text +=
          "    <testcase classname=\"\(Self.escaped("\(suite.kind).\(suite.name)"))\" "
          + "name=\"\(Self.escaped(test.name))\" time=\"\(Self.seconds(test.duration))\""
        switch test.outcome {
        case .passed: text += "/>\n"
        case .skipped: text += "><skipped/></testcase>\n"
        case .failed(let reason):
          // Where the compiler ended it, its error is the message, and not what it did before.
          let lines = reason.split(separator: "\n")
          let message = lines.first { $0.contains("error: ") } ?? lines.first ?? ""
          text +=
            ">\n      <failure message=\"\(Self.escaped(String(message)))\">"
            + "\(Self.escaped(reason))</failure>\n    </testcase>\n"
        }
      }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func counts(_ tests: [Test]) -> String {
    let failures = tests.count { $0.outcome.isFailure }
    let skipped = tests.count { $0.outcome == .skipped }
    return " tests=\"\(tests.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
  }

  /// Seconds with three decimals and a point, whatever the locale.
  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = Int((duration / .milliseconds(1)).rounded())
    return "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { MarkupText.escaped(String($0)) }.joined(separator: "&#10;")
  }
}

extension [TestReport.Test] {
  /// The tests in the event stream of `swift test`, in the order in which they ended.
  ///
  /// Other lines are ignored: the last line of a process that crashed is incomplete.
  init(events text: String) {
    self = []
    var names: [String: String] = [:]
    var starts: [String: Double] = [:]
    var issues: [String: [String]] = [:]
    for line in text.split(separator: "\n") {
      guard let event = try? Value(json: String(line)), let payload = event["payload"],
        let kind = payload["kind"]?.text
      else { continue }
      if event["kind"]?.text == "test", kind == "function", let id = payload["id"]?.text {
        names[id] = payload["displayName"]?.text ?? payload["name"]?.text ?? id
      }
      guard let id = payload["testID"]?.text, let name = names[id] else { continue }
      let now = payload["instant"]?["absolute"]?.number ?? 0
      switch kind {
      case "testStarted": starts[id] = now
      case "issueRecorded" where payload["issue"]?["isKnown"] != .bool(true):
        issues[id, default: []].append(Self.message(of: payload))
      case "testSkipped":
        starts[id] = nil
        append(TestReport.Test(name: name, outcome: .skipped))
      case "testEnded":
        let reason = issues[id]?.joined(separator: "\n")
        append(
          TestReport.Test(
            name: name, outcome: reason.map { .failed($0) } ?? .passed,
            duration: .seconds(now - (starts.removeValue(forKey: id) ?? now))))
      default: break
      }
    }
    // The process crashed in a test that has started and not ended.
    for id in starts.keys.sorted() {
      append(
        TestReport.Test(
          name: names[id] ?? id, outcome: .failed("the tests' process ended in this test")))
    }
  }

  /// An issue's messages with its location, such as `LampsTests/CounterTests.swift:13: `.
  private static func message(of event: Value) -> String {
    let messages = event["messages"]?.elements ?? []
    let text = messages.compactMap { $0["text"]?.text }.joined(separator: "\n")
    guard let location = event["issue"]?["sourceLocation"], let file = location["fileID"]?.text,
      case .int(let line)? = location["line"]
    else { return text }
    return "\(file):\(line): \(text)"
  }
}

/// The home folder of one script's run, so that it uses none of the person's settings and data.
///
/// The files of `tests/home` are copied into it, then those of `tests/NAME.home` for the script
/// `tests/NAME.script`. Each line of `tests/vars` and `tests/NAME.vars` gives a variable a value, as
/// `--set` does.
///
/// It is removed by ``remove()``, when a signal ends the process, and when a crash does; a script that is
/// still running then may make it again.
final class ScriptHome {
  /// The arguments that set variables.
  let arguments: [String]
  private let path: String
  private let registration: EndingSignals.Registration
  private let remover: FolderRemover?

  /// Creates the folder, with the set-up of a script.
  ///
  /// - Throws: the system's error.
  init(for script: String) throws(SystemError) {
    let folder = FilePath.folder(of: script)
    let name = String(script.dropLast(".script".count))
    var template = Array("\(FilePath.temporaryFolder)/appcore-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError(errno) }
    let path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    self.path = path
    remover = FolderRemover(path)
    registration = EndingSignals.onEnd { _ in
      WorkFolder.abandon(path)
      return nil
    }
    arguments = [FilePath.join(folder, "vars"), name + ".vars"].flatMap { file in
      let text = (try? WholeFile.read(file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        .flatMap { ["--set", String($0)] }
    }
    do throws(SystemError) {
      for source in [FilePath.join(folder, "home"), name + ".home"] where FilePath.isFolder(source)
      {
        try Self.copy(source, to: path)
      }
    } catch {
      remove()
      throw error
    }
  }

  /// The variables of a process that has this home, and otherwise those of `outer`.
  func environment(_ outer: [String: String]) -> [String: String] {
    func absolute(_ name: String) -> String? {
      outer[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    var environment = outer
    let names = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "STATE_DIRECTORY"]
    for name in names { environment[name] = nil }
    environment["HOME"] = path
    // What was compiled and scanned is used, and the plugins that the person has installed.
    let home = absolute("HOME")
    environment["XDG_CACHE_HOME"] = absolute("XDG_CACHE_HOME") ?? home.map { $0 + "/.cache" }
    let data = absolute("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }
    let shared = outer["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 }
    environment["XDG_DATA_DIRS"] = [data, shared ?? "/usr/local/share:/usr/share"]
      .compactMap(\.self).joined(separator: ":")
    return environment
  }

  func remove() { FilePath.remove(path) }

  private static func copy(_ source: String, to target: String) throws(SystemError) {
    for name in (FilePath.names(in: source) ?? []).sorted() {
      let (from, to) = (source + "/" + name, target + "/" + name)
      if FilePath.isFolder(from) {
        guard mkdir(to, 0o700) == 0 || errno == EEXIST else { throw SystemError(errno) }
        try copy(from, to: to)
      } else {
        try FileReplacement.write(WholeFile.read(from), to: to, newMode: 0o600)
      }
    }
  }
}
