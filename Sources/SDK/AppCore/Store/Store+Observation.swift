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
    node.root.keep(ValueStream(continuation, observe(value) { continuation.yield($0) }))
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

/// What a sequence of values has in its root store, which owns it; its release ends the sequence.
final class ValueStream {
  private let observation: StoreObservation
  private let finish: () -> Void
  /// Set on any thread when the sequence has no consumer any more.
  private let ended = Guarded(false)

  init<Value>(_ continuation: AsyncStream<Value>.Continuation, _ observation: StoreObservation) {
    self.observation = observation
    finish = { continuation.finish() }
    continuation.onTermination = { [ended] _ in ended.value = true }
  }

  var hasEnded: Bool { ended.value }

  deinit { finish() }
}
