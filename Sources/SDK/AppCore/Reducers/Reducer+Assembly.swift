/// A reducer of the library's, which knows its parts.
@usableFromInline
protocol AssembledReducer<State, Action>: Reducer {
  var assembly: Assembly<State, Action> { get }
}

extension Reducer {
  /// The reducer in the form that a store runs: its body is built, once.
  @inlinable
  func assemble() -> Assembly<State, Action> {
    if let known = self as? any AssembledReducer<State, Action> { return known.assembly }
    if Body.self != Never.self, let body = body as? any Reducer<State, Action> {
      return body.assemble()
    }
    return Assembly { reduce(into: &$0, action: $1) }
  }
}

/// A child's reducer, assembled when its first action comes.
///
/// So a body may contain its own reducer: each level is built when it is reached.
@_fixed_layout
@usableFromInline
final class ChildReducer<State, Action: Sendable> {
  @usableFromInline let build: () -> CombineReducers<State, Action>
  @exclusivity(unchecked) @usableFromInline var whole: Assembly<State, Action>.Step?
  @usableFromInline let boundary = ActionBoundary<Action>()

  @usableFromInline
  init(_ build: @escaping () -> CombineReducers<State, Action>) { self.build = build }

  /// Whether `action` is for the parent alone, or for nobody: a delegate action of the child.
  @inlinable
  func isDelegate(_ action: Action) -> Bool { boundary.isDelegate(action) }

  @inlinable
  func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    if let whole { return whole.run(&state, action) }
    let whole = Assembly<State, Action>.Step(run: build().assemble().whole)
    self.whole = whole
    return whole.run(&state, action)
  }
}
