internal import Synchronization

/// Values that arrive over time from elsewhere: a connection, a device, another thread.
///
/// It is used like an `AsyncStream`. An effect that waits for the next value counts as waiting,
/// like one that sleeps on a clock: screens are printed meanwhile, and a script continues. With an
/// `AsyncStream` the app would be busy until the effect ends.
///
/// ```swift
/// struct Doorbell: DependencyKey {
///   var rings: @Sendable () -> EventStream<Int>
///
///   static let liveValue = Doorbell {
///     EventStream { continuation in
///       continuation.yield(1)
///       continuation.finish()
///     }
///   }
/// }
/// ```
///
/// Only one task may iterate over it.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
  private let values: AsyncStream<Element>
  private let waiting: EventWaiting

  /// Adds values to a stream, on any thread.
  public struct Continuation: Sendable {
    fileprivate let values: AsyncStream<Element>.Continuation
    fileprivate let waiting: EventWaiting

    /// Adds a value.
    ///
    /// It does nothing if the stream has ended.
    public func yield(_ value: Element) {
      waiting.willYield()
      if case .enqueued = values.yield(value) { return }
      waiting.didDrop()
    }

    /// Ends the stream, after the values that have been added.
    public func finish() {
      waiting.willFinish()
      values.finish()
    }

    /// Calls `body` when the stream ends, or when the task that iterates over it is cancelled.
    public func onTermination(_ body: @escaping @Sendable () -> Void) {
      values.onTermination = { _ in body() }
    }
  }

  /// Creates a stream of the values that `build` adds, immediately or later.
  ///
  /// - Parameters:
  ///   - limit: the number of values to buffer; older ones are dropped. Unlimited by default.
  ///   - build: called with the continuation that adds values.
  public init(keepingNewest limit: Int = .max, _ build: (Continuation) -> Void) {
    let (stream, continuation) = Self.makeStream(keepingNewest: limit)
    self = stream
    build(continuation)
  }

  private init(_ values: AsyncStream<Element>, _ waiting: EventWaiting) {
    self.values = values
    self.waiting = waiting
  }

  /// Creates a stream, and the continuation that adds values to it.
  ///
  /// - Parameter limit: the number of values to buffer; older ones are dropped. Unlimited by
  ///   default.
  /// - Returns: both.
  public static func makeStream(
    keepingNewest limit: Int = .max
  ) -> (stream: Self, continuation: Continuation) {
    let (values, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: limit == .max ? .unbounded : .bufferingNewest(limit))
    let waiting = EventWaiting()
    return (Self(values, waiting), Continuation(values: continuation, waiting: waiting))
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(values: values.makeAsyncIterator(), waiting: waiting)
  }

  /// Takes the values, on one task.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var values: AsyncStream<Element>.Iterator
    fileprivate let waiting: EventWaiting

    public mutating func next() async -> Element? { await next(isolation: nil) }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      waiting.begin(ActiveEffect.current)
      let value = await values.next(isolation: actor)
      waiting.end(isValue: value != nil)
      return value
    }
  }
}

/// Tracks the effect that waits for the next value of a stream.
///
/// The effect counts as busy again before the value is added, so that the store never looks settled
/// while a value is on its way.
private final class EventWaiting: Sendable {
  private struct State {
    /// The effect that has asked for the next value and has not received it.
    var effect: ActiveEffect?
    /// Whether the effect counts as waiting.
    var isWaiting = false
    /// The number of values that were added and not yet taken.
    var pending = 0
    var isFinished = false

    mutating func beginWaiting() {
      guard pending == 0, !isFinished, !isWaiting, let effect else { return }
      effect.beginWaiting()
      isWaiting = true
    }

    mutating func endWaiting() {
      if isWaiting { effect?.endWaiting() }
      isWaiting = false
    }
  }
  private let state = Mutex(State())

  func begin(_ effect: ActiveEffect?) {
    state.withLock { state in
      state.effect = effect
      state.beginWaiting()
    }
  }

  func end(isValue: Bool) {
    state.withLock { state in
      if isValue { state.pending -= 1 }
      state.endWaiting()
      state.effect = nil
    }
  }

  func willYield() {
    state.withLock { state in
      state.pending += 1
      state.endWaiting()
    }
  }

  /// Records that the value was not added after all, or that an older one was dropped for it.
  ///
  /// The effect may have asked for the next value meanwhile, when this one was still pending.
  func didDrop() {
    state.withLock { state in
      state.pending -= 1
      state.beginWaiting()
    }
  }

  func willFinish() {
    state.withLock { state in
      state.isFinished = true
      state.endWaiting()
    }
  }
}
