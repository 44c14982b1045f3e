extension Reducer {
  /// Runs further reducers when a part of the state has changed in response to an action.
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
      return effect.merged(with: change(old, new).assembly.part(&state, action))
    }
  }
}
