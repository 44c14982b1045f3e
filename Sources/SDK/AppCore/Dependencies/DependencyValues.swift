/// The dependencies in force on the current task.
///
/// ```swift
/// extension DependencyValues {
///   var stock: Stock {
///     get { self[Stock.self] }
///     set { self[Stock.self] = newValue }
///   }
/// }
///
/// struct Stock: DependencyKey {
///   var count: @Sendable (_ article: String) async throws -> Int
///   static let liveValue = Stock { _ in 0 }
/// }
/// ```
public struct DependencyValues: Sendable {
  /// Whether the values are those of an app or of a test.
  public enum Context: Sendable {
    /// An app: what nobody has set is live.
    case live
    /// A test: what nobody has set, and has no test value either, is reported when it is read.
    case test
  }

  @TaskLocal package static var current = DependencyValues()

  private var overrides: [ObjectIdentifier: any Sendable] = [:]
  /// Whether values are being replaced.
  private var isBeingChanged = false
  /// Which values stand for dependencies that nobody has set.
  ///
  /// Nothing guesses it: it is `.live` unless somebody says otherwise. `TestStore` and `AppHarness`
  /// say `.test`, for the reducers and effects that they run; a test without them says so itself,
  /// by `withDependencies { $0.context = .test } operation: { … }`.
  public var context: Context = .live

  /// Values of which none is overridden.
  public init(context: Context = .live) { self.context = context }

  /// The value under `key`; where it isn't set, the key's live or test value.
  ///
  /// - Parameters:
  ///   - key: the dependency.
  ///   - name: what the dependency is called in a report: the property that asks.
  public subscript<Key: DependencyKey>(
    key: Key.Type, name: StaticString = #function
  ) -> Key.Value {
    get {
      // In two steps: where the value is an optional, casting nothing to it succeeds.
      if let stored = overrides[ObjectIdentifier(key)], let value = stored as? Key.Value {
        return value
      }
      guard context == .test else { return key.liveValue }
      guard !isBeingChanged else {
        return UnsetDependency.$isExpected.withValue(true) { key.testValue }
      }
      return UnsetDependency.$name.withValue("\(name)") { key.testValue }
    }
    set { overrides[ObjectIdentifier(key)] = newValue }
  }

  /// Replaces values.
  ///
  /// Setting one through a key path reads it first, so that what nobody has set yet is not reported
  /// meanwhile.
  @_spi(Host) public mutating func change(_ update: (inout DependencyValues) -> Void) {
    isBeingChanged = true
    update(&self)
    isBeingChanged = false
  }
}

/// Runs `operation` with some dependencies replaced, here and in the tasks it starts.
public func withDependencies<Result>(
  _ update: (inout DependencyValues) -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  values.change(update)
  return try DependencyValues.$current.withValue(values, operation: operation)
}

/// Runs `operation` with some dependencies replaced, here and in the tasks it starts.
nonisolated(nonsending) public func withDependencies<Result>(
  _ update: (inout DependencyValues) -> Void,
  operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  values.change(update)
  return try await bound(values, on: #isolation, operation: operation)
}

/// Runs `operation` with `values`, without leaving the caller's actor.
private func bound<Result>(
  _ values: DependencyValues, on isolation: isolated (any Actor)?,
  operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  try await DependencyValues.$current.withValue(values) {
    // What captures its isolation stays there; `operation` itself, handed over, would not.
    _ = isolation
    return try await operation()
  }
}
