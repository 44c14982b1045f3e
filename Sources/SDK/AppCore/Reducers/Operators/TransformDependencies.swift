extension Reducer {
  /// Runs this reducer and its effects with some dependencies replaced.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case stamp }
  ///
  /// let reducer = Reduce<Instant?, Action> { stamp, _ in
  ///   @Dependency(\.date) var date
  ///   stamp = date.now
  ///   return .none
  /// }
  /// .dependency(\.date, .constant(Instant(secondsSinceEpoch: 0)))
  /// ```
  public func dependency<Value: Sendable>(
    _ keyPath: any WritableKeyPath<DependencyValues, Value> & Sendable, _ value: Value
  ) -> CombineReducers<State, Action> {
    transformDependencies { $0[keyPath: keyPath] = value }
  }

  /// Runs this reducer and its effects with its dependencies changed.
  public func transformDependencies(
    _ update: @escaping @Sendable (inout DependencyValues) -> Void
  ) -> CombineReducers<State, Action> {
    let inner = assemble()
    let run = inner.part
    return inner.wrapped { state, action in
      // Effects capture the dependencies that are current when they are created.
      withDependencies(update) { run(&state, action) }
    }
  }
}
