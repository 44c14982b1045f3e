extension Reducer {
  /// Runs further reducers when a part of the state has changed in answer to an action.
  ///
  /// ```swift
  /// struct Settings: Reducer {
  ///   struct State { var volume = 5, changes = 0 }
  ///   enum Action: ComponentAction { case volumeSet(Int) }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce<State, Action> { state, action in
  ///       if case .volumeSet(let volume) = action { state.volume = volume }
  ///       return .none
  ///     }
  ///     .onChange(of: { $0.volume }) { old, new in
  ///       Reduce { state, _ in
  ///         state.changes += 1
  ///         return .none
  ///       }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: the part.
  ///   - change: makes the reducers for an old and a new value.
  /// - Returns: both reducers.
  public func onChange<Value: Equatable>(
    of value: @escaping (State) -> Value,
    @ReducerBuilder<State, Action> _ change:
      @escaping (_ old: Value, _ new: Value) -> CombineReducers<State, Action>
  ) -> CombineReducers<State, Action> {
    let inner = assemble()
    let run = inner.part
    return inner.wrapped { state, action in
      let old = value(state)
      let effect = run(&state, action)
      let new = value(state)
      guard old != new else { return effect }
      return effect.merge(with: change(old, new).assemble().part(&state, action))
    }
  }

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
  ///
  /// - Parameters:
  ///   - keyPath: the dependency.
  ///   - value: what stands in its place.
  /// - Returns: the reducer with the dependency replaced.
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
      let effect = withDependencies(update) { run(&state, action) }
      return effect.operation.map { Effect(.updating($0, update)) } ?? .none
    }
  }
}
