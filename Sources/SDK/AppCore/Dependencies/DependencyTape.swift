internal import Glibc

/// What code on one thread reads of the date, of unique ids and of random numbers: taken down, or given
/// again as it was taken down before.
///
/// Belongs to one thread.
@_spi(Host)
public final class DependencyTape: @unchecked Sendable {
  // Unchecked: only the thread that is in ``during(_:)`` uses it.
  /// One thing that was read.
  @frozen public enum Reading: Hashable, Sendable {
    case date(Instant)
    case uuid(UniqueID)
    case random(UInt64)
  }

  /// What has been read, in order; or what is still to be given.
  public private(set) var readings: [Reading]
  /// Whether something was read that is not on the tape, or that comes in another order there.
  public private(set) var hasDiverged = false
  /// How often shared values were changed on this thread since ``take()``.
  public internal(set) var sharedChanges = 0
  private let isPlaying: Bool
  private var position = 0

  /// Creates an empty tape, which takes down what is read.
  public init() {
    readings = []
    isPlaying = false
  }

  /// Creates a tape that gives what was read before.
  public init(playing readings: [Reading]) {
    self.readings = readings
    isPlaying = true
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The tape of this thread; `nil` where nothing is taken down.
  static var current: DependencyTape? {
    pthread_getspecific(key).map {
      Unmanaged<DependencyTape>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Runs `body`, whose readings are on this tape.
  public func during<Result>(_ body: () throws -> Result) rethrows -> Result {
    let former = pthread_getspecific(Self.key)
    pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    defer { pthread_setspecific(Self.key, former) }
    return try body()
  }

  /// Takes what was read off the tape.
  ///
  /// - Returns: the readings since the last call.
  public func take() -> [Reading] {
    sharedChanges = 0
    guard !readings.isEmpty else { return [] }
    defer { readings = [] }
    return readings
  }

  func date(_ read: () -> Instant) -> Instant {
    guard isPlaying else {
      let date = read()
      readings.append(.date(date))
      return date
    }
    if case .date(let date)? = next() { return date }
    hasDiverged = true
    return read()
  }

  func uuid(_ read: () -> UniqueID) -> UniqueID {
    guard isPlaying else {
      let id = read()
      readings.append(.uuid(id))
      return id
    }
    if case .uuid(let id)? = next() { return id }
    hasDiverged = true
    return read()
  }

  fileprivate func random(_ read: () -> UInt64) -> UInt64 {
    guard isPlaying else {
      let number = read()
      readings.append(.random(number))
      return number
    }
    if case .random(let number)? = next() { return number }
    hasDiverged = true
    return read()
  }

  private func next() -> Reading? {
    guard position < readings.count else { return nil }
    defer { position += 1 }
    return readings[position]
  }
}

/// A generator whose numbers are on a tape.
struct TapedNumbers: RandomNumberGenerator, Sendable {
  var generator: any RandomNumberGenerator & Sendable
  let tape: DependencyTape

  mutating func next() -> UInt64 { tape.random { generator.next() } }
}
