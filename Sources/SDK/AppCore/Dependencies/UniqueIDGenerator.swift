internal import Synchronization

/// Generates unique ids: `uuid()`.
public struct UniqueIDGenerator: Sendable {
  private let generate: @Sendable () -> UniqueID

  /// Creates a generator that calls `generate` each time.
  public init(_ generate: @escaping @Sendable () -> UniqueID) { self.generate = generate }

  /// A generator that always returns `id`.
  public static func constant(_ id: UniqueID) -> Self { Self { id } }

  /// A generator that counts from 0: `00000000-0000-0000-0000-000000000000` and so on.
  public static var incrementing: Self {
    let counter = Counter()
    return Self { UniqueID(counter.next()) }
  }

  /// A new identifier.
  public func callAsFunction() -> UniqueID {
    DependencyTape.current?.uuid(generate) ?? generate()
  }

  /// A generator of random identifiers.
  static let system = UniqueIDGenerator {
    var generator = SystemRandomNumberGenerator()
    return UniqueID.random(using: &generator)
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)
    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
  }
}

extension DependencyValues {
  /// Generates unique ids.
  ///
  /// ```swift
  /// func newID() -> UniqueID {
  ///   @Dependency(\.uuid) var uuid
  ///   return uuid()
  /// }
  ///
  /// // In a test:
  /// let first = withDependencies {
  ///   $0.uuid = .incrementing
  /// } operation: {
  ///   newID()  // UniqueID(0)
  /// }
  /// ```
  public var uuid: UniqueIDGenerator {
    get { self[UniqueIDGeneratorKey.self] }
    set { self[UniqueIDGeneratorKey.self] = newValue }
  }
}

private enum UniqueIDGeneratorKey: DependencyKey {
  static var liveValue: UniqueIDGenerator { .system }
}
