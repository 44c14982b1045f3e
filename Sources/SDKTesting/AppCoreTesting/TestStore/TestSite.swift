internal import Synchronization

/// Where a test says something.
@_spi(Host)
public struct TestSite: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  /// A place in a test's source.
  public init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
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
