@_spi(Host) @testable import AppCore

/// What is reported as an issue while `body` runs.
func reported(_ body: () throws -> Void) rethrows -> [String] {
  let texts = Guarded<[String]>([])
  try RuntimeIssue.handling(with: { texts.value += [$0] }, operation: body)
  return texts.value
}

/// What is reported as an issue while `body` runs, and in the tasks that it starts.
nonisolated(nonsending) func reported(
  _ body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> [String] {
  let texts = Guarded<[String]>([])
  try await RuntimeIssue.handling(with: { texts.value += [$0] }, operation: body)
  return texts.value
}

extension [String] {
  /// Whether there are as many texts, each of which begins with its part.
  func begin(with parts: String...) -> Bool {
    count == parts.count && zip(self, parts).allSatisfy { $0.hasPrefix($1) }
  }
}
