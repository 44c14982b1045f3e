extension Store {
  /// Calls `onChange` whenever a value made from the state has become another one.
  ///
  /// The first call comes with the first change; the value as it is now is in ``state``. Observers
  /// are told in the order in which they came, when no action waits. What they send is buffered,
  /// and reduced once all were told. The observer of a scoped store whose child is gone hears
  /// nothing until there is a child again.
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
  /// - Returns: the observation, which ends when it is let go of.
  /// - Complexity: one call of `value` and one comparison for each turn of the store.
  public func observe<Value: Equatable>(
    _ value: @escaping (State) -> Value, onChange: @escaping (Value) -> Void
  ) -> StoreObservation {
    var last = value(state)
    func next(_ state: State) {
      let now = value(state)
      guard now != last else { return }
      last = now
      onChange(now)
    }
    return switch place {
    case .root(let core): core.observe { next(copy $0) }
    case .scoped(let scope): scope.observe(next)
    }
  }

  /// The values made from the state: the one now, and then each that is another one than before.
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
  ///   - policy: what is kept for a task that is slower than the store; all, unless said otherwise.
  /// - Returns: the values.
  public func values<Value: Equatable & Sendable>(
    of value: @escaping (State) -> Value,
    buffering policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
    continuation.yield(value(state))
    let feed = StoreFeed(continuation)
    feed.observation = observe(value) { [weak feed] in feed?.yield($0) }
    switch place {
    case .root(let core): core.keep(feed)
    case .scoped(let scope): scope.root.keep(feed)
    }
    return stream
  }
}

extension Store where Action: FeatureAction {
  /// Calls `body` with each delegate action.
  ///
  /// A delegate action leaves the store; its own reducer never sees it. In an app it goes to the
  /// graph, and inside a plugin to the parent that composed the feature: a scoped store hears what
  /// its child tells its parent.
  ///
  /// - Returns: the observation, which ends when it is let go of.
  public func onDelegate(_ body: @escaping (Action.Delegate) -> Void) -> StoreObservation {
    let path = CasePath(reflecting: Action.delegate)
    func hear(_ action: Action) {
      if let delegate = path.extract(action) { body(delegate) }
    }
    return switch place {
    case .root(let core): core.listen { hear($0.action) }
    case .scoped(let scope): scope.listen(hear)
    }
  }
}

/// Feeds a sequence; belongs to the root store, and ends the sequence when that goes.
class AnyStoreFeed {
  var observation: StoreObservation?
  /// Whether nobody takes values any more.
  var hasEnded: Bool { false }
}

final class StoreFeed<Value: Sendable>: AnyStoreFeed {
  private let continuation: AsyncStream<Value>.Continuation
  private let status = FeedStatus()

  init(_ continuation: AsyncStream<Value>.Continuation) {
    self.continuation = continuation
    super.init()
    // Called on any thread: the store, which lives on another, looks at it when it has news.
    continuation.onTermination = { [status] _ in status.end() }
  }

  override var hasEnded: Bool { status.hasEnded }

  func yield(_ value: Value) {
    continuation.yield(value)
  }

  deinit { continuation.finish() }
}
