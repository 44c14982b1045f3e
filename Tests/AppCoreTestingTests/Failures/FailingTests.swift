import Foundation
import Testing
import XCTest

/// Whether the cases that fail are to be run: a child of the tests does that.
private let runsFailingCases = ProcessInfo.processInfo.environment["APPCORE_FAILING_CASE"]
  .flatMap(FailingCase.init)

@Suite("Cases that fail", .enabled(if: runsFailingCases != nil))
struct FailingTests {
  @Test("The failing case")
  func failing() async { await runsFailingCases?.run() }
}

final class FailingXCTests: XCTestCase {
  func testFailingCase() async throws {
    guard let runsFailingCases else { throw XCTSkip("a child of the tests runs it") }
    await runsFailingCases.run()
  }
}
