internal import Glibc
internal import Synchronization
internal import Testing
internal import XCTest

/// Fails the running test, in whichever test framework it runs.
@_spi(Host)
public enum TestReporter {
  /// Fails the test.
  ///
  /// Outside of a test framework, the process exits with status 1: a failure that is only printed
  /// would pass.
  public static func fail(_ text: String, at site: TestSite) {
    if Test.current != nil {
      Issue.record(Comment(rawValue: text), sourceLocation: SourceLocation(site))
    } else if isTesting {
      XCTFail(text, file: site.filePath, line: site.line)
    } else {
      print("\(site.fileID):\(site.line): error: \(text)\n")
      _ = endsWithFailure
    }
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

  /// Whether the process runs tests; XCTest can't be asked whether one of its tests is running.
  private static let isTesting =
    getenv("XCTestConfigurationFilePath") != nil
    || CommandLine.arguments.contains {
      $0.hasSuffix(".xctest") || $0 == "--testing-library"
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
