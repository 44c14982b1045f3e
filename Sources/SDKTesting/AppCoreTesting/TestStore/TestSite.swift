internal import Synchronization

/// Where a test says something.
struct TestSite: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt
}

/// Where a test is, for what is reported on other threads than its own.
final class TestPosition: Sendable {
  private let current: Mutex<TestSite>
  init(_ site: TestSite) { current = Mutex(site) }

  var site: TestSite {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}
