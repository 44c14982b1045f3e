@_spi(Host)
extension RuntimeIssue {
  /// Runs `operation`; issues reported in it and in the tasks it starts go to `handler`.
  nonisolated(nonsending) public static func handling<Result>(
    with handler: @escaping @Sendable (String) -> Void,
    operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await $handler.withValue(handler, operation: operation)
  }
}
