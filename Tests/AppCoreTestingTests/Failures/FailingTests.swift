import AppCore
import AppCoreTesting
import Dispatch
import Foundation
import Testing
import XCTest

private let failingName = ProcessInfo.processInfo.environment["APPCORE_FAILING_CASE"]

/// Whether the cases that fail are to be run: a child of the tests does that.
private let runsFailingCases = failingName.flatMap(FailingCase.init)

/// Leaves a received action and an effect, which are reported where the store is created.
@MainActor
private func storeWithLeftovers() async -> TestStoreOf<Search> {
  let store = TestStore(initialState: Search.State()) { Search() }  // the store with leftovers
  store.dependencies.clock = TestClock().appClock
  await store.send(.closeTapped)
  return store
}

@Suite("Cases that fail", .enabled(if: failingName != nil))
struct FailingTests {
  @Test("The failing case", .enabled(if: runsFailingCases != nil))
  func failing() async { await runsFailingCases?.run() }

  @Test("A store that a detached task releases", .enabled(if: failingName == "detachedTask"))
  func detachedTask() async {
    await Task.detached { _ = await storeWithLeftovers() }.value
  }

  @Test("A store that a callback releases", .enabled(if: failingName == "callback"))
  func callback() async {
    nonisolated(unsafe) var store: TestStoreOf<Search>? = await storeWithLeftovers()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        store = nil
        continuation.resume()
      }
    }
    #expect(store == nil)
  }

  @Test("Arguments that fail before any test", arguments: failingArguments())
  func arguments(number: Int) {}
}

private func failingArguments() -> [Int] {
  if failingName == "arguments" { expectNoDifference(1, 2, "in the arguments of a test") }
  return [1]
}

final class FailingXCTests: XCTestCase {
  func testFailingCase() async throws {
    guard let runsFailingCases else { throw XCTSkip("a child of the tests runs it") }
    await runsFailingCases.run()
  }
}

/// Its stores are in properties, which XCTest keeps until the process ends.
@MainActor
final class FailingPropertyXCTests: XCTestCase {
  private var store: TestStoreOf<Search>?

  override func setUp() async throws {
    guard failingName != nil else { throw XCTSkip("a child of the tests runs it") }
    store = await storeWithLeftovers()
  }

  func testLeftovers() {}

  /// Its store is reported by the case before, and not again here.
  func testNothing() async { await store?.skipReceivedActions() }

  override func tearDown() async throws {
    if failingName == "finishedProperty" { await store?.skipReceivedActions(strict: false) }
    if failingName == "releasedProperty" { store = nil }
  }
}

/// Fails where no test case is running.
final class FailingClassXCTests: XCTestCase {
  override static func setUp() {
    if failingName != nil { expectNoDifference(1, 2, "in the class's setUp") }
  }

  func testNothing() throws {
    if failingName == nil { throw XCTSkip("a child of the tests runs it") }
  }
}
