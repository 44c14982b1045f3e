internal import Synchronization

/// The place of a call in a test's source.
@_spi(Host)
public struct TestSite: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  /// Creates a place in a test's source.
  public init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}

/// The current place of a test, for reports from other threads.
final class TestPosition: Sendable {
  private let current: Mutex<TestSite>
  init(_ site: TestSite) { current = Mutex(site) }

  var site: TestSite {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}
