@_spi(Host) internal import AppCore
internal import Synchronization

/// Runs `body` and collects the misuses that it reports.
///
/// ```swift
/// let issues = try await collectedIssues { try await app.type("@save") }
/// #expect(issues.isEmpty)
/// ```
///
/// Otherwise, such a report is a warning on standard error.
///
/// - Parameter body: the code that may report misuses.
/// - Returns: the reports, in order.
/// - Throws: what `body` throws.
nonisolated(nonsending) public func collectedIssues(
  in body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> [String] {
  let collected = Collected()
  try await Issue.handling(with: { collected.append($0) }, operation: body)
  return collected.all
}

private final class Collected: Sendable {
  private let issues = Mutex<[String]>([])

  var all: [String] { issues.withLock { $0 } }

  func append(_ issue: String) { issues.withLock { $0.append(issue) } }
}
