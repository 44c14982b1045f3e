/// Values that arrive over time from elsewhere, until it ends or fails: an ``EventStream`` whose end
/// may be an error.
///
/// ```swift
/// struct Microphone: DependencyKey {
///   var words: @Sendable () -> ThrowingEventStream<String>
///   struct Unplugged: Error {}
///
///   static let liveValue = Microphone {
///     ThrowingEventStream { continuation in
///       continuation.yield("one")
///       continuation.finish(throwing: Unplugged())
///     }
///   }
/// }
/// ```
///
/// Only one task may iterate over it.
public struct ThrowingEventStream<Element: Sendable>: AsyncSequence, Sendable {
  fileprivate typealias Event = Result<Element, any Error>
  private let events: EventStream<Event>

  /// Adds values to a stream, on any thread.
  public struct Continuation: Sendable {
    fileprivate let events: EventStream<Event>.Continuation

    /// Adds a value.
    ///
    /// It does nothing if the stream has ended.
    public func yield(_ value: Element) { events.yield(.success(value)) }

    /// Ends the stream, after the values that have been added.
    ///
    /// - Parameter error: thrown to the task that iterates over the stream; `nil` for none.
    public func finish(throwing error: (any Error)? = nil) {
      if let error { events.yield(.failure(error)) }
      events.finish()
    }

    /// Calls `body` when the stream ends, or when the task that iterates over it is cancelled.
    public func onTermination(_ body: @escaping @Sendable () -> Void) { events.onTermination(body) }
  }

  private init(_ events: EventStream<Event>) { self.events = events }

  /// Creates a stream of the values that `build` adds, immediately or later.
  ///
  /// - Parameters:
  ///   - limit: the number of values to buffer; older ones are dropped. An error at the
  ///     end counts as one. Unlimited by default.
  ///   - build: called with the continuation that adds values.
  public init(keepingNewest limit: Int = .max, _ build: (Continuation) -> Void) {
    let (stream, continuation) = Self.makeStream(keepingNewest: limit)
    self = stream
    build(continuation)
  }

  /// Creates a stream, and the continuation that adds values to it.
  ///
  /// - Parameter limit: the number of values to buffer; older ones are dropped. An error at
  ///   the end counts as one. Unlimited by default.
  /// - Returns: both.
  public static func makeStream(
    keepingNewest limit: Int = .max
  ) -> (stream: Self, continuation: Continuation) {
    let (events, continuation) = EventStream<Event>.makeStream(keepingNewest: limit)
    return (Self(events), Continuation(events: continuation))
  }

  public func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

  /// Takes the values, on one task.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: EventStream<Event>.Iterator

    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      try await events.next(isolation: actor)?.get()
    }
  }
}
