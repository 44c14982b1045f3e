internal import Glibc

/// Returns the current time: `date.now`.
public struct DateGenerator: Sendable {
  private let generate: @Sendable () -> Instant

  /// Creates a generator that calls `generate` each time.
  public init(_ generate: @escaping @Sendable () -> Instant) { self.generate = generate }

  /// A generator that always returns `instant`.
  public static func constant(_ instant: Instant) -> Self { Self { instant } }

  /// The current time; once it is set, the generator always returns that time.
  public var now: Instant {
    get { DependencyTape.current?.read(DependencyTape.dates, generate) ?? generate() }
    set { self = .constant(newValue) }
  }

  /// The time now.
  public func callAsFunction() -> Instant { now }

  /// The system's real-time clock.
  static let system = DateGenerator {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(sinceEpoch: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }
}

extension DependencyValues {
  /// Returns the current time: `date.now`; in a test, as in
  /// `$0.date.now = Instant(secondsSinceEpoch: 1_000_000_000)`.
  public var date: DateGenerator {
    get { self[DateGeneratorKey.self] }
    set { self[DateGeneratorKey.self] = newValue }
  }
}

private enum DateGeneratorKey: DependencyKey {
  static var liveValue: DateGenerator { .system }
}
