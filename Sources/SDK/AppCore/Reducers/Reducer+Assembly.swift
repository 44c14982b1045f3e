/// A reducer of this library, which is already assembled.
@usableFromInline
protocol AssembledReducer<State, Action>: Reducer {
  var assembly: Assembly<State, Action> { get }
}

extension Reducer {
  /// Builds the body, once, and returns the reducer in the form that a store runs.
  @inlinable
  func assemble() -> Assembly<State, Action> {
    if let known = self as? any AssembledReducer<State, Action> { return known.assembly }
    if Body.self != Never.self, let body = body as? any Reducer<State, Action> {
      return body.assemble()
    }
    return Assembly { reduce(into: &$0, action: $1) }
  }
}

/// A child's reducer, assembled for its first action.
///
/// This lets a body contain its own reducer: each level is built when it is reached.
@_fixed_layout
@usableFromInline
final class ChildReducer<State, Action: Sendable> {
  @usableFromInline let build: () -> CombineReducers<State, Action>
  @exclusivity(unchecked) @usableFromInline var whole: Assembly<State, Action>.Step?
  @usableFromInline let boundary = ActionBoundary<Action>()

  @usableFromInline
  init(_ build: @escaping () -> CombineReducers<State, Action>) { self.build = build }

  /// Whether `action` is a delegate action of the child, which the child does not handle itself.
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
