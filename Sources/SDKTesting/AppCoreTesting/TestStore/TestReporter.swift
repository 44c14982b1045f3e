internal import Glibc
internal import Synchronization
internal import Testing

/// Fails the running test, in whichever test framework it runs.
@_spi(Host)
public enum TestReporter {
  /// Fails the test.
  ///
  /// Where no test is running, the process exits with status 1: a failure that is only printed would
  /// pass.
  public static func fail(_ text: String, at site: TestSite) {
    // A test's arguments are made for a test, too, but outside of its cases.
    let isInCase = Test.Case.current != nil
    if isInCase || Test.current != nil || framework == .swiftTesting {
      Issue.record(Comment(rawValue: text), sourceLocation: SourceLocation(site))
      if isInCase { return }
    } else if framework == .xcTest, TestCaseObserver.shared.fail(text, at: site) {
      return
    }
    // Swift Testing reports a detached task's failure, but drops one before or after its tests.
    failProcess(text, in: site.fileID, site)
  }

  /// Prints a failure that belongs to no running test, and lets the process exit with status 1.
  static func failProcess(_ text: String, in file: StaticString, _ site: TestSite) {
    print("\(file):\(site.line): error: \(text)\n")
    _ = endsWithFailure
  }

  /// Reports what was skipped, without failing.
  static func note(_ title: String, _ lines: [String] = [], at site: TestSite) {
    let text = ([title] + (lines.isEmpty ? [] : [""]) + lines.map { "    \($0)" })
      .joined(separator: "\n")
    // XCTest has no warnings.
    guard Test.current != nil else { return print("\(site.fileID):\(site.line): note: \(text)\n") }
    Issue.record(
      Comment(rawValue: text), severity: .warning, sourceLocation: SourceLocation(site))
  }

  private enum Framework { case swiftTesting, xcTest }

  /// The framework whose tests the process runs.
  private static let framework: Framework? = {
    let arguments = CommandLine.arguments
    let option = "--testing-library"
    let library = zip(arguments, arguments.dropFirst()).first { $0.0 == option }?.1
    if library == "swift-testing" || arguments.contains(option + "=swift-testing") {
      return .swiftTesting
    }
    let isXCTest =
      library != nil || getenv("XCTestConfigurationFilePath") != nil
      || arguments.contains { $0.hasSuffix(".xctest") }
    return isXCTest ? .xcTest : nil
  }()

  /// Calls `body` when the test case of XCTest that is running now has ended.
  static func whenTestCaseEnds(_ body: @escaping @MainActor @Sendable () -> Void) {
    if framework == .xcTest { TestCaseObserver.shared.whenCaseEnds(body) }
  }

  private static func print(_ line: String) {
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }

  private static let endsWithFailure: Void = {
    _ = atexit {
      // '_exit' would lose what the program printed to a file or a pipe.
      fflush(nil)
      _exit(1)
    }
  }()
}

/// The place of a call in a test's source.
@_spi(Host)
public struct TestSite: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  /// Creates a place in a test's source.
  public init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
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

extension SourceLocation {
  fileprivate init(_ site: TestSite) {
    self.init(
      fileID: "\(site.fileID)", filePath: "\(site.filePath)", line: Int(site.line),
      column: Int(site.column))
  }
}
