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

  private func lineOfLeftovers() throws -> Int {
    let source = try String(
      contentsOf: Self.folder.appending(path: "FailingTests.swift"), encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    return try #require(lines.firstIndex { $0.hasSuffix("// the store with leftovers") }) + 1
  }

  @Test(
    "It fails Swift Testing where no test is current", arguments: ["detachedTask", "callback"])
  func elsewhere(name: String) async throws {
    let run = try await child(
      name, ["--testing-library", "swift-testing", "--filter", "FailingTests/\(name)"])
    #expect(run.status == 1, "\(run.output)")
    #expect(run.output.contains("FailingTests.swift:\(try lineOfLeftovers()):"), "\(run.output)")
    #expect(run.output.contains("1 action was received and not asserted"), "\(run.output)")
  }

  @Test("What a store in a property of a test case leaves fails the case, once")
  func property() async throws {
    let suite = "AppCoreTestingTests.FailingPropertyXCTests"
    let place = "FailingTests.swift:\(try lineOfLeftovers()): error: "
    func count(_ text: String, in run: ProgramResult) -> Int {
      run.output.components(separatedBy: text).count - 1
    }
    let kept = try await child("property", [suite])
    #expect(kept.status == 1, "\(kept.output)")
    #expect(
      count(place + "FailingPropertyXCTests.testLeftovers : 1 action", in: kept) == 1,
      "\(kept.output)")
    #expect(count(place, in: kept) == 1, "\(kept.output)")
    let released = try await child("releasedProperty", [suite + "/testLeftovers"])
    #expect(released.status == 1, "\(released.output)")
    #expect(count(place, in: released) == 1, "\(released.output)")
    #expect(released.output.contains("Executed 1 test, with 1 failure"), "\(released.output)")
    let finished = try await child("finishedProperty", [suite])
    #expect(finished.status == 0, "\(finished.output)")
  }

  @Test("A failure while no test is running is printed, and ends the process with status 1")
  func outsideOfTests() async throws {
    let xcTest = try await child("class", ["AppCoreTestingTests.FailingClassXCTests"])
    #expect(xcTest.status == 1, "\(xcTest.output)")
    #expect(xcTest.output.contains("error: The values differ: in the class's setUp"))
    let swiftTesting = try await child(
      "arguments", ["--testing-library", "swift-testing", "--filter", "FailingTests/arguments"])
    #expect(swiftTesting.status == 1, "\(swiftTesting.output)")
    #expect(swiftTesting.output.contains("error: The values differ: in the arguments of a test"))
  }

  /// Runs this test program with one failing case.
  private func child(_ failing: FailingCase, _ arguments: [String]) async throws -> ProgramResult {
    try await child(failing.rawValue, arguments)
  }

  private func child(_ name: String, _ arguments: [String]) async throws -> ProgramResult {
    try await Program.run(
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), arguments,
      environment: ["APPCORE_FAILING_CASE": name, "RECORD": ""], mergesErrors: true)
  }
}
