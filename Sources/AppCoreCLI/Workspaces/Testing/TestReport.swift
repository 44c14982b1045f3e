internal import Support

/// The results of a workspace's tests.
public struct TestReport: Sendable {
  /// The tests of one plugin, or all scripts.
  public struct Suite: Sendable {
    /// The name, such as a plugin's.
    public let name: String
    /// `check`, `plugin` or `script`.
    package let kind: String
    /// Its tests.
    package let tests: [Test]
    /// The time that it took.
    package let duration: Duration
  }

  /// One test.
  package struct Test: Sendable {
    package let name: String
    package let outcome: Outcome
    package let duration: Duration
  }

  /// The result of a test.
  package enum Outcome: Hashable, Sendable {
    case passed
    case skipped
    /// With the messages to print.
    case failed(String)

    package var isFailure: Bool { if case .failed = self { true } else { false } }
  }

  /// The suites, in the order in which they ran.
  public internal(set) var suites: [Suite] = []

  var tests: [Test] { suites.flatMap(\.tests) }
  var failureCount: Int { tests.count { $0.outcome.isFailure } }

  /// 65 if a test failed, otherwise 0.
  public var exitStatus: Int32 { failureCount == 0 ? 0 : 65 }

  /// The last line, with the numbers of tests that passed and failed.
  public var summary: String { Self.summary(of: tests) }

  /// The numbers of tests that passed or failed, and were skipped.
  fileprivate static func summary(of tests: [Test]) -> String {
    let failed = tests.count { $0.outcome.isFailure }
    let skipped = tests.count { $0.outcome == .skipped }
    let end = skipped > 0 ? ", \(skipped) skipped" : ""
    let run = tests.count - skipped
    return failed > 0
      ? "\(failed) of \(run) tests failed\(end)"
      : "\(run) test\(run == 1 ? "" : "s") passed\(end)"
  }
}

extension TestReport.Suite {
  /// The suite's line and the messages of its failures.
  public var text: String {
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
