internal import Synchronization

/// The dependencies of a task.
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
    /// An app: values that are not set are live.
    case live
    /// A test: reading a value that is neither set nor has a test value is reported.
    case test
  }

  @TaskLocal private static var bound = DependencyValues()
  /// Whether any values have ever been replaced in this process.
  private static let haveBeenReplaced = Atomic(false)

  /// The values in force on the current task.
  ///
  /// A store needs them for each action, and reading a task local takes some 30 ns, so it is
  /// skipped until a value has been replaced.
  static var current: DependencyValues {
    haveBeenReplaced.load(ordering: .relaxed) ? bound : DependencyValues()
  }

  /// Runs `operation` with `values` in force, here and in the tasks it starts.
  static func withCurrent<Result>(
    _ values: DependencyValues, operation: () throws -> Result
  ) rethrows -> Result {
    guard replaces(values) else { return try operation() }
    return try $bound.withValue(values, operation: operation)
  }

  /// Runs `operation` with `values` in force, without leaving the caller's actor.
  fileprivate static func withCurrent<Result>(
    _ values: DependencyValues, on isolation: isolated (any Actor)?,
    operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    guard replaces(values) else { return try await operation() }
    return try await $bound.withValue(values) {
      // A closure that captures its isolation stays isolated; passing `operation` directly would
      // not.
      _ = isolation
      return try await operation()
    }
  }

  /// Whether `values` must be bound; if so, records that values have been replaced.
  private static func replaces(_ values: DependencyValues) -> Bool {
    if haveBeenReplaced.load(ordering: .relaxed) { return true }
    guard !values.isUnchanged else { return false }
    haveBeenReplaced.store(true, ordering: .relaxed)
    return true
  }

  private var overrides: [ObjectIdentifier: any Sendable] = [:]
  /// Whether ``change(_:)`` is replacing values.
  private var isBeingChanged = false
  /// Which values are used for dependencies that are not set.
  ///
  /// It is never guessed: it is `.live` unless set. `TestStore` and `AppHarness` set `.test` for
  /// the reducers and effects that they run; a test without them sets `$0.context = .test` in
  /// `withDependencies`.
  public var context: Context = .live

  /// Creates values without overrides.
  public init(context: Context = .live) { self.context = context }

  /// Whether nothing is set, in the live context.
  var isUnchanged: Bool { overrides.isEmpty && context == .live }

  /// The value that is set for `key`, or else the key's live or test value.
  ///
  /// - Parameters:
  ///   - key: the dependency.
  ///   - name: the dependency's name in reports; by default the property that reads it.
  public subscript<Key: DependencyKey>(
    key: Key.Type, name: StaticString = #function
  ) -> Key.Value {
    get {
      // In two steps: if the value is an optional, casting `nil` to it succeeds.
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

  /// The value that was set for `key`; `nil` if none was.
  func chosen<Key: DependencyKey>(_ key: Key.Type) -> Key.Value? {
    overrides[ObjectIdentifier(key)].flatMap { $0 as? Key.Value }
  }

  /// The values in force on the current task, after some were replaced.
  @_spi(Host) public static func current(
    changedBy update: (inout DependencyValues) -> Void
  ) -> DependencyValues {
    var values = current
    values.change(update)
    return values
  }

  /// Replaces values.
  ///
  /// Setting a property of a value reads the value first. That read must not be reported if the
  /// value is not set yet.
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
  let values = DependencyValues.current(changedBy: update)
  return try DependencyValues.withCurrent(values, operation: operation)
}

/// Captures the current dependencies for a closure that is called later, maybe on another thread.
///
/// A task inherits the dependencies of the code that starts it. A library's callback does not:
///
/// ```swift
/// func listen(_ register: (@escaping @Sendable (String) -> Void) -> Void) {
///   withEscapedDependencies { dependencies in
///     register { line in
///       dependencies.yield {
///         @Dependency(\.date) var date
///         print(date.now, line)
///       }
///     }
///   }
/// }
/// ```
public func withEscapedDependencies<Result>(
  _ operation: (DependencyValues.Continuation) throws -> Result
) rethrows -> Result { try operation(DependencyValues.Continuation(values: .current)) }

extension DependencyValues {
  /// The dependencies that ``withEscapedDependencies(_:)`` has captured.
  public struct Continuation: Sendable {
    fileprivate let values: DependencyValues

    /// Runs `operation` with the dependencies.
    public func yield<Result>(_ operation: () throws -> Result) rethrows -> Result {
      try DependencyValues.withCurrent(values, operation: operation)
    }

    /// Runs `operation` with the dependencies.
    nonisolated(nonsending) public func yield<Result>(
      _ operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
      try await DependencyValues.withCurrent(values, on: #isolation, operation: operation)
    }
  }
}

/// Runs `operation` with some dependencies replaced, here and in the tasks it starts.
nonisolated(nonsending) public func withDependencies<Result>(
  _ update: (inout DependencyValues) -> Void,
  operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  let values = DependencyValues.current(changedBy: update)
  return try await DependencyValues.withCurrent(values, on: #isolation, operation: operation)
}
