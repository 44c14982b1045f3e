internal import Glibc

/// Tells what time it is: `date.now`.
public struct DateGenerator: Sendable {
  private let generate: @Sendable () -> Instant

  /// A generator that asks `generate` each time.
  public init(_ generate: @escaping @Sendable () -> Instant) { self.generate = generate }

  /// A generator that always returns `instant`.
  public static func constant(_ instant: Instant) -> Self { Self { instant } }

  /// The time now; setting it has the generator return that time from then on.
  public var now: Instant {
    get { generate() }
    set { self = .constant(newValue) }
  }

  /// The time now.
  public func callAsFunction() -> Instant { generate() }

  /// The machine's time of day.
  static let system = DateGenerator {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(sinceEpoch: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }
}

extension DependencyValues {
  /// Tells what time it is.
  ///
  /// ```swift
  /// func stamp() -> Instant {
  ///   @Dependency(\.date) var date
  ///   return date.now
  /// }
  ///
  /// // In a test:
  /// let morning = withDependencies {
  ///   $0.date.now = Instant(secondsSinceEpoch: 1_000_000_000)
  /// } operation: {
  ///   stamp()
  /// }
  /// ```
  public var date: DateGenerator {
    get { self[DateGeneratorKey.self] }
    set { self[DateGeneratorKey.self] = newValue }
  }
}

private enum DateGeneratorKey: DependencyKey {
  static var liveValue: DateGenerator { .system }
}
