@_spi(Host) internal import AppCore
internal import Synchronization

/// Runs `body` and returns the misuses that it reports, in order, which are otherwise warnings on
/// standard error: `#expect(try await collectedIssues { try await app.type("@save") }.isEmpty)`.
nonisolated(nonsending) public func collectedIssues(
  in body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> [String] {
  let issues = Mutex<[String]>([])
  try await RuntimeIssue.handling(
    with: { issue in issues.withLock { $0.append(issue) } }, operation: body)
  return issues.withLock { $0 }
}
