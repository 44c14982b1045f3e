extension Reducer {
  /// Prints every action and the changes it made, by default to standard error and under the name of
  /// the reducer's type.
  ///
  /// It works in release builds as well.
  ///
  /// ```swift
  /// struct Counter: Reducer {
  ///   struct State { var count = 0 }
  ///   enum Action: ComponentAction { case addTapped }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce<State, Action> { state, _ in
  ///       state.count += 1
  ///       return .none
  ///     }
  ///     .printChanges()  // Counter: .addTapped, and below it "-  count: 0", "+  count: 1"
  ///   }
  /// }
  /// ```
  public func printChanges(
    _ name: String? = nil, to print: @escaping @Sendable (String) -> Void = writeToStandardError
  ) -> CombineReducers<State, Action> {
    let inner = assemble()
    let run = inner.part
    let name = name ?? String(describing: Self.self)
    return inner.wrapped { state, action in
      let before = StateDump.lines(state)
      let effect = run(&state, action)
      let changes = LineDiff.changes(from: before, to: StateDump.lines(state))
      let body = changes.isEmpty ? ["  (no changes)"] : changes.map { "  \($0)" }
      print(
        (["\(name): \(StateDump.line(action))"] + body).joined(separator: "\n") + "\n")
      return effect
    }
  }
}

/// Writes a text to standard error; `appcore` makes it safe for a terminal.
@Sendable
public func writeToStandardError(_ text: String) { ErrorOutput.write(text) }
