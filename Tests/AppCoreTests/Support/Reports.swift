import Synchronization

@testable import AppCore

/// Collects what is reported as an issue.
final class Reports: Sendable {
  private let texts = Mutex<[String]>([])
  var all: [String] { texts.withLock { $0 } }

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  func collect<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await RuntimeIssue.$handler.withValue(
      { self.add($0) }, operation: body)
  }
}
