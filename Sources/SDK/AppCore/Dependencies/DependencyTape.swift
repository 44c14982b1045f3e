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

  /// The tape of this thread; `nil` where nothing is taken down.
  static var current: DependencyTape? { ReducerThread.current.tape }

  /// Runs `body`, whose readings are on this tape.
  public func during<Result>(_ body: () throws -> Result) rethrows -> Result {
    let thread = ReducerThread.current
    let former = thread.tape
    thread.tape = self
    defer { thread.tape = former }
    return try body()
  }

  /// Takes what was read since the last call off the tape.
  public func take() -> [Reading] {
    sharedChanges = 0
    guard !readings.isEmpty else { return [] }
    defer { readings = [] }
    return readings
  }

  static let dates = CasePath(Reading.date)
  static let uuids = CasePath(Reading.uuid)
  private static let numbers = CasePath(Reading.random)

  /// What `read` returns, which is taken down; or what is given in its place.
  func read<Value>(_ path: CasePath<Reading, Value>, _ read: () -> Value) -> Value {
    if isPlaying {
      if position < readings.count, let value = path.extract(readings[position]) {
        position += 1
        return value
      }
      hasDiverged = true
      position += 1
      return read()
    }
    let value = read()
    readings.append(path.embed(value))
    return value
  }

  /// A generator whose numbers are on a tape.
  struct Numbers: RandomNumberGenerator, Sendable {
    var generator: any RandomNumberGenerator & Sendable
    let tape: DependencyTape

    mutating func next() -> UInt64 { tape.read(numbers) { generator.next() } }
  }
}
