/// Returns a function of a dependency that a test must not call, or must replace; it reports what is
/// not implemented, and throws ``UnimplementedError``.
///
/// ```swift
/// struct Stock: DependencyKey {
///   var count: @Sendable (_ article: String) async throws -> Int
///   static let liveValue = Stock { _ in 0 }
///   static let testValue = Stock(count: unimplemented("Stock.count"))
/// }
/// ```
public func unimplemented<each Argument, Result>(
  _ description: String
) -> @Sendable (repeat each Argument) async throws -> Result {
  { (_: repeat each Argument) in
    UnimplementedError(description: description).report()
    throw UnimplementedError(description: description)
  }
}

/// Returns a function that can't throw and that a test must not call, or must replace; it reports
/// what is not implemented, and returns the placeholder.
public func unimplemented<each Argument, Result>(
  _ description: String, placeholder: @autoclosure @escaping @Sendable () -> Result
) -> @Sendable (repeat each Argument) -> Result {
  { (_: repeat each Argument) in
    UnimplementedError(description: description).report()
    return placeholder()
  }
}

/// The error of a function that ``unimplemented(_:)`` has made.
public struct UnimplementedError: Error, Hashable, Sendable {
  /// What is not implemented.
  public let description: String

  fileprivate func report() {
    RuntimeIssue.report(
      """
      '\(description)' is not implemented in this test
        - set the dependency for the test, with 'withDependencies'
        - or find out why it is called
      """)
  }
}
