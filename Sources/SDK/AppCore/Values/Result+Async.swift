extension Result where Failure == any Error {
  /// The result of asynchronous work.
  ///
  /// ```swift
  /// func loaded(_ load: @Sendable () async throws -> Int) async -> Result<Int, any Error> {
  ///   await Result { try await load() }
  /// }
  /// ```
  nonisolated(nonsending) public init(
    catching body: nonisolated(nonsending) () async throws -> Success
  ) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
