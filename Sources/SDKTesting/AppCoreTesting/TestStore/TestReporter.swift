internal import Glibc
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
      Testing.Issue.record(Comment(rawValue: text), sourceLocation: SourceLocation(site))
    } else if isTesting {
      XCTFail(text, file: site.filePath, line: site.line)
    } else {
      print("\(site.fileID):\(site.line): error: \(text)\n")
      _ = endsWithFailure
    }
  }

  /// Reports what was skipped, without failing.
  static func note(_ text: String, at site: TestSite) {
    // XCTest has no warnings.
    guard Test.current != nil else { return print("\(site.fileID):\(site.line): note: \(text)\n") }
    Testing.Issue.record(
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

extension SourceLocation {
  fileprivate init(_ site: TestSite) {
    self.init(
      fileID: "\(site.fileID)", filePath: "\(site.filePath)", line: Int(site.line),
      column: Int(site.column))
  }
}
