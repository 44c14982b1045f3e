internal import Synchronization
internal import XCTest

/// Follows the test cases of XCTest.
///
/// XCTest drops a failure where no test case is running, and doesn't say whether one is. It also keeps
/// its test cases, with the stores in their properties, until the process ends.
final class TestCaseObserver: XCTestObservation, Sendable {
  static let shared = {
    let observer = TestCaseObserver()
    XCTestObservationCenter.shared.addTestObserver(observer)
    return observer
  }()

  /// Whether the failure that is being reported has arrived in a test case.
  @TaskLocal private static var arrival: Arrival?
  /// The name of the test case that has ended, while what it left is reported.
  @TaskLocal private static var endedCase: String?

  private final class Arrival: Sendable {
    let hasHappened = Atomic(false)
  }
  private struct Ending: Sendable {
    let begin: Date
    let body: @MainActor @Sendable () -> Void
  }
  private let endings = Mutex<[Ending]>([])

  /// Fails the running test case.
  ///
  /// - Returns: `false` if none is running.
  func fail(_ text: String, at site: TestSite) -> Bool {
    if let name = Self.endedCase {
      // Its run takes no more failures. This is what XCTest would print.
      TestReporter.failProcess("\(name) : \(text)", in: site.filePath, site)
      return true
    }
    let arrival = Arrival()
    Self.$arrival.withValue(arrival) { XCTFail(text, file: site.filePath, line: site.line) }
    return arrival.hasHappened.load(ordering: .relaxed)
  }

  /// Calls `body` when the running test case has ended; never if none is running.
  func whenCaseEnds(_ body: @escaping @MainActor @Sendable () -> Void) {
    let ending = Ending(begin: Date(), body: body)
    endings.withLock { $0.append(ending) }
  }

  func testCaseWillStart(_ testCase: XCTestCase) { endings.withLock { $0 = [] } }

  func testCase(
    _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
    atLine lineNumber: Int
  ) {
    Self.arrival?.hasHappened.store(true, ordering: .relaxed)
  }

  func testCaseDidFinish(_ testCase: XCTestCase) {
    let endings = endings.withLock { endings in
      defer { endings = [] }
      return endings
    }
    guard let start = testCase.testRun?.startDate, Thread.isMainThread else { return }
    Self.$endedCase.withValue(testCase.name) {
      MainActor.assumeIsolated {
        // The start of the first case is not observed; what is older was begun before it.
        for ending in endings where ending.begin >= start { ending.body() }
      }
    }
  }
}
