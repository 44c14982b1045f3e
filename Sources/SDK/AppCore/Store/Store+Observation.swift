internal import Synchronization

extension Store {
  /// Calls `onChange` whenever a value derived from the state changes.
  ///
  /// The first call comes with the first change; the current value is in ``state``. Observers are
  /// called in the order of registration, when no action is queued. Actions that they send are
  /// buffered, and reduced after all have been called. The observer of a scoped store whose child
  /// is gone is not called until there is a child again.
  ///
  /// ```swift
  /// struct State { var count = 0 }
  ///
  /// func watch<Action>(_ store: Store<State, Action>) -> StoreObservation {
  ///   store.observe(\.count) { print("now \($0)") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: what is observed, as in `\.count`.
  ///   - onChange: is called with the new value.
  /// - Returns: the observation, which ends when it is released.
  /// - Complexity: one call of `value` and one comparison for each turn of the store.
  public func observe<Value: Equatable>(
    _ value: @escaping (State) -> Value, onChange: @escaping (Value) -> Void
  ) -> StoreObservation {
    var last = value(state)
    // The value may hold references to shared values, which stay the same when these change.
    var shared = SharedChangeDetector(core.dependencies.sharedValues)
    func next(_ state: borrowing State) {
      let now = value(copy state)
      guard shared.differ(last, now) else { return }
      last = now
      onChange(now)
    }
    return node.observe(next)
  }

  /// Observes a value that is not `Equatable`, or only a part of which matters.
  ///
  /// - Parameters:
  ///   - value: what is observed.
  ///   - isDuplicate: whether a value counts as unchanged; its first argument is the former value.
  ///   - onChange: is called with the new value.
  /// - Returns: the observation, which ends when it is released.
  public func observe<Value>(
    _ value: @escaping (State) -> Value,
    removeDuplicates isDuplicate: @escaping (Value, Value) -> Bool,
    onChange: @escaping (Value) -> Void
  ) -> StoreObservation {
    var last = value(state)
    func next(_ state: borrowing State) {
      let now = value(copy state)
      guard !isDuplicate(last, now) else { return }
      last = now
      onChange(now)
    }
    return node.observe(next)
  }

  /// The values derived from the state: the current one, and then each that differs from the one
  /// before.
  ///
  /// It ends when the root store is gone. Each call makes a sequence of its own, for one task.
  ///
  /// ```swift
  /// struct State { var count = 0 }
  ///
  /// func follow<Action>(_ store: Store<State, Action>) async {
  ///   for await count in store.values(of: \.count) { print("now \(count)") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: what is observed, as in `\.count`.
  ///   - policy: the values that are kept for a task that is slower than the store; by default all.
  /// - Returns: the values.
  public func values<Value: Equatable & Sendable>(
    of value: @escaping (State) -> Value,
    buffering policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
    continuation.yield(value(state))
    let feed = StoreFeed(continuation)
    feed.observation = observe(value) { [weak feed] in feed?.yield($0) }
    core.keep(feed)
    return stream
  }
}

extension Store where Action: FeatureAction {
  /// Calls `body` with each delegate action.
  ///
  /// A delegate action leaves the store; its own reducer never sees it. In an app it goes to the
  /// graph, and inside a plugin to the parent that composed the feature: a scoped store receives
  /// the delegate actions that its child sends to its parent.
  ///
  /// - Returns: the observation, which ends when it is released.
  public func onDelegate(_ body: @escaping (Action.Delegate) -> Void) -> StoreObservation {
    let path = CasePath(reflecting: Action.delegate)
    return node.listen { (action: Action) in
      if let delegate = path.extract(action) { body(delegate) }
    }
  }
}

/// Feeds a sequence; the root store owns it, and its release ends the sequence.
package protocol StoreFeeding: AnyObject {
  /// Whether the sequence has no consumer any more.
  var hasEnded: Bool { get }
}

private final class StoreFeed<Value: Sendable>: StoreFeeding {
  var observation: StoreObservation?
  private let continuation: AsyncStream<Value>.Continuation
  private let status = Status()

  /// Set on any thread; the store checks it before it calls observers.
  private final class Status: Sendable {
    let hasEnded = Atomic(false)
  }

  init(_ continuation: AsyncStream<Value>.Continuation) {
    self.continuation = continuation
    continuation.onTermination = { [status] _ in
      status.hasEnded.store(true, ordering: .relaxed)
    }
  }

  var hasEnded: Bool { status.hasEnded.load(ordering: .relaxed) }

  func yield(_ value: Value) { continuation.yield(value) }

  deinit { continuation.finish() }
}
