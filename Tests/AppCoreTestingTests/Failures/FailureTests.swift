import Foundation
import Synchronization
import TestSupport
import Testing

/// The tester tested: what a failure says, where, and that it fails the test in both frameworks.
@Suite(
  "The failures of TestStore and AppHarness",
  .notThreadSanitized("loads a file for each step, which takes minutes there"))
struct FailureTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let golden = folder.deletingLastPathComponent().appending(path: "Golden")

  /// What a failure is to say; with `RECORD=1` what it says now.
  private func golden(_ failing: FailingCase, now text: String? = nil) throws -> String {
    let file = Self.golden.appending(path: "\(failing.rawValue).txt")
    if let text, ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try Data((text + "\n").utf8).write(to: file)
    }
    return String(try String(contentsOf: file, encoding: .utf8).dropLast())
  }

  private func line(of failing: FailingCase) throws -> Int {
    let source = try String(
      contentsOf: Self.folder.appending(path: "FailingCase.swift"), encoding: .utf8)
    return try #require(failing.line(in: source))
  }

  @Test(
    "It says what is wrong, where, what differs, the causes and the remedy",
    arguments: FailingCase.allCases)
  func text(failing: FailingCase) async throws {
    let found = Mutex<[(text: String, line: Int)]>([])
    await withKnownIssue {
      await failing.run()
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined(separator: "\n")
      // What is only told is not a failure.
      guard issue.severity == .error else { return true }
      found.withLock { $0.append((text, issue.sourceLocation?.line ?? 0)) }
      return true
    }
    let failures = found.withLock { $0 }
    let failure = try #require(failures.first)
    #expect(failures.count == 1, "\(failures)")
    #expect(try failure.text == golden(failing, now: failure.text))
    #expect(try failure.line == line(of: failing))
  }

  @Test("It fails a test of Swift Testing", arguments: FailingCase.allCases)
  func swiftTesting(failing: FailingCase) async throws {
    let run = try await child(
      failing, ["--testing-library", "swift-testing", "--filter", "FailingTests/failing"])
    #expect(run.status == 1, "\(run.output)")
    #expect(run.output.contains("Test \"The failing case\" failed"), "\(run.output)")
    #expect(run.output.contains("FailingCase.swift:\(try line(of: failing)):"), "\(run.output)")
    let said = run.output.split(separator: "\n").map { $0.drop { "↳ ".contains($0) } }
    for line in try golden(failing).split(separator: "\n") where !line.isEmpty {
      #expect(said.contains { $0.hasSuffix(line.drop { $0 == " " }) }, "\(line)\n\(run.output)")
    }
  }

  @Test("It fails a test of XCTest", arguments: FailingCase.allCases)
  func xcTest(failing: FailingCase) async throws {
    let run = try await child(failing, ["AppCoreTestingTests.FailingXCTests/testFailingCase"])
    #expect(run.status == 1, "\(run.output)")
    #expect(run.output.contains("Executed 1 test, with 1 failure"), "\(run.output)")
    let place = "FailingCase.swift:\(try line(of: failing)): error: "
    #expect(run.output.contains(place), "\(run.output)")
    #expect(run.output.contains(try golden(failing)), "\(run.output)")
  }

  /// Runs this test program with one failing case.
  private func child(_ failing: FailingCase, _ arguments: [String]) async throws -> ProgramResult {
    try await Program.run(
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), arguments,
      environment: ["APPCORE_FAILING_CASE": failing.rawValue, "RECORD": ""], mergesErrors: true)
  }
}
