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
@usableFromInline
final class ChildReducer<State, Action: Sendable> {
  private let assemble: () -> Assembly<State, Action>.Step
  private var whole: Assembly<State, Action>.Step?
  private let boundary = ActionBoundary(Action.self)
  private let place: ScopePlace
  private let site: OperatorSite

  /// - Parameters:
  ///   - place: where the children are in their parent.
  ///   - site: where the operator was written.
  ///   - build: makes the child's reducer; with an inlinable operator, the reducer is compiled where
  ///     it is written.
  @inlinable
  convenience init(
    at place: ScopePlace, _ site: OperatorSite,
    _ build: @escaping () -> CombineReducers<State, Action>
  ) {
    self.init(
      at: place, site,
      assembling: {
        Assembly<State, Action>.Step(run: build().assemble().whole)
      })
  }

  @usableFromInline
  init(
    at place: ScopePlace, _ site: OperatorSite,
    assembling assemble: @escaping () -> Assembly<State, Action>.Step
  ) {
    self.place = place
    self.site = site
    self.assemble = assemble
  }

  /// Whether `action` is a delegate action of the child, which the child does not handle itself.
  func isDelegate(_ action: Action) -> Bool { boundary.isDelegate(action) }

  /// Reduces a child's action, except a delegate action.
  ///
  /// Where too little stack is left, the action is dropped and reported.
  func reduce(
    _ state: inout State, _ action: Action, in element: ScopeElement
  ) -> Effect<Action> {
    guard !boundary.isDelegate(action) else { return .none }
    let thread = ReducerThread.current
    guard thread.hasStack else {
      site.reportLowStack()
      return .none
    }
    let whole = whole ?? assembled()
    guard let cursor = thread.cursor else { return whole.run(&state, action) }
    let outer = cursor.descend(to: ScopeID(place, element))
    defer { cursor.ascend(to: outer) }
    return whole.run(&state, action)
  }

  /// Reduces the action of a child that is always there, and returns its parent's effect.
  @usableFromInline
  func reduceOnly<Parent>(
    _ state: inout State, _ action: Action, _ path: CasePath<Parent, Action>
  ) -> Effect<Parent> {
    let effect = reduce(&state, action, in: .only)
    return effect.isNone ? .none : effect.embedded(path, in: ScopeID(place, .only))
  }

  private func assembled() -> Assembly<State, Action>.Step {
    let made = assemble()
    whole = made
    return made
  }
}
