internal import Synchronization

/// Lends a random number generator:
/// `withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }`.
public struct WithRandomNumberGenerator: Sendable {
  private final class Shared: @unchecked Sendable {
    // Unchecked: `generator` is used only while holding the mutex. It is not the mutex's own value,
    // since what `body` returns need not be Sendable.
    private let mutex = Mutex(())
    private var generator: any RandomNumberGenerator & Sendable
    init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = generator }

    func lend<Result>(
      _ body: (inout any RandomNumberGenerator & Sendable) -> Result
    ) -> Result {
      mutex.withLock { _ in body(&generator) }
    }
  }
  private let shared: Shared

  /// Creates a value that lends `generator`, which keeps its state between calls.
  public init(_ generator: some RandomNumberGenerator & Sendable) { shared = Shared(generator) }

  /// Runs `body` with exclusive access to the generator, which it must not ask for again.
  public func callAsFunction<Result>(
    _ body: (inout any RandomNumberGenerator & Sendable) -> Result
  ) -> Result {
    guard let tape = DependencyTape.current else { return shared.lend(body) }
    return shared.lend { generator in
      var taped: any RandomNumberGenerator & Sendable = DependencyTape.Numbers(
        generator: generator, tape: tape)
      defer { if let taped = taped as? DependencyTape.Numbers { generator = taped.generator } }
      return body(&taped)
    }
  }
}

/// A generator whose numbers depend only on its seed, for tests.
///
/// SplitMix64 (Steele, Lea and Flood, 2014). Not for cryptography.
public struct SeededRandomNumberGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator with a seed.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

extension DependencyValues {
  /// Lends a random number generator; in a test, as in
  /// `$0.withRandomNumberGenerator = .init(SeededRandomNumberGenerator(seed: 1))`.
  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { self[RandomNumberGeneratorKey.self] }
    set { self[RandomNumberGeneratorKey.self] = newValue }
  }
}

private enum RandomNumberGeneratorKey: DependencyKey {
  static var liveValue: WithRandomNumberGenerator {
    WithRandomNumberGenerator(SystemRandomNumberGenerator())
  }
}
