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
  /// - Returns: the observation, which ends when it is released.
  /// - Complexity: one call of `value` and one comparison for each turn of the store.
  public func observe<Value: Equatable>(
    _ value: @escaping (State) -> Value, onChange: @escaping (Value) -> Void
  ) -> StoreObservation {
    // The value may hold references to shared values, which stay the same when these change.
    var shared = SharedChangeDetector(node.root.dependencies.sharedValues)
    return observe(value, removeDuplicates: { !shared.differ($0, $1) }, onChange: onChange)
  }

  /// Observes a value that is not `Equatable`, or only a part of which matters.
  ///
  /// - Returns: the observation, which ends when it is released.
  public func observe<Value>(
    _ value: @escaping (State) -> Value,
    removeDuplicates isDuplicate: @escaping (Value, Value) -> Bool,
    onChange: @escaping (Value) -> Void
  ) -> StoreObservation {
    var last = value(state)
    return node.observe { state in
      let now = value(state)
      guard !isDuplicate(last, now) else { return }
      last = now
      onChange(now)
    }
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
  public func values<Value: Equatable & Sendable>(
    of value: @escaping (State) -> Value,
    buffering policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
    continuation.yield(value(state))
    let feed = ValueStream(continuation)
    feed.observation = observe {
      feed.hasEnded.value ? nil : value($0)
    } onChange: { new in
      if let new { continuation.yield(new) } else { feed.observation = nil }
    }
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

/// The source of a sequence of values, which only its observation retains: the release of either, as
/// with the store, ends the sequence.
private final class ValueStream {
  var observation: StoreObservation?
  /// Set on any thread when the sequence has no consumer any more.
  let hasEnded = Guarded(false)
  private let finish: () -> Void

  init<Value>(_ continuation: AsyncStream<Value>.Continuation) {
    finish = { continuation.finish() }
    continuation.onTermination = { [hasEnded] _ in hasEnded.value = true }
  }

  deinit { finish() }
}
