/// A value that features read from their surroundings, so that tests can put another in its place.
public protocol DependencyKey {
  associatedtype Value: Sendable
  /// The value outside of tests.
  static var liveValue: Value { get }
  /// The value in tests that override nothing; the live one unless declared.
  static var testValue: Value { get }
}

extension DependencyKey {
  public static var testValue: Value { liveValue }
}

/// The dependencies in force on the current task.
public struct DependencyValues: Sendable {
  /// Whether the values are those of an app or of a test.
  public enum Context: Sendable {
    case live
    case test
  }

  @TaskLocal package static var current = DependencyValues()

  private var overrides: [ObjectIdentifier: any Sendable] = [:]
  /// Which values stand for dependencies that nobody has set.
  public var context: Context = .live

  /// Values of which none is overridden.
  public init(context: Context = .live) { self.context = context }

  /// The value under `key`; where it isn't set, the key's live or test value.
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      // In two steps: where the value is an optional, casting nothing to it succeeds.
      if let stored = overrides[ObjectIdentifier(key)], let value = stored as? Key.Value {
        return value
      }
      return context == .live ? key.liveValue : key.testValue
    }
    set { overrides[ObjectIdentifier(key)] = newValue }
  }
}

/// Reads a dependency: `@Dependency(\.clock) var clock`.
///
/// The value is looked up whenever it is read, on the task that reads it.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
  private let keyPath: any KeyPath<DependencyValues, Value> & Sendable

  /// A reader of the dependency at `keyPath`.
  public init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    self.keyPath = keyPath
  }

  public var wrappedValue: Value { DependencyValues.current[keyPath: keyPath] }
}

/// Runs `operation` with some dependencies replaced, here and in the tasks it starts.
public func withDependencies<Result>(
  _ update: (inout DependencyValues) -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  update(&values)
  return try DependencyValues.$current.withValue(values, operation: operation)
}

/// Runs `operation` with some dependencies replaced, here and in the tasks it starts.
nonisolated(nonsending) public func withDependencies<Result>(
  _ update: (inout DependencyValues) -> Void,
  operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  update(&values)
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
