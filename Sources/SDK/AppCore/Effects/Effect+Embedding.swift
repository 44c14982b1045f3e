/// A child's operation, with the function that turns its actions into those of a parent.
///
/// Each parent on the way to the root wraps the effect, in O(1); it is unwrapped when it is
/// performed.
protocol EmbeddedOperation<Action>: Sendable {
  associatedtype Action: Sendable

  func perform(
    by runner: EffectRunner, in context: EffectContext, to sink: @escaping EffectSink<Action>
  ) -> [Task<Void, Never>]
}

private struct EmbeddedOperationBox<Child: Sendable, Action: Sendable>: EmbeddedOperation {
  let operation: EffectOperation<Child>
  /// The parent's action that dismisses the child.
  let dismissal: Action?
  let embed: @Sendable (Child) -> Action

  func perform(
    by runner: EffectRunner, in context: EffectContext, to sink: @escaping EffectSink<Action>
  ) -> [Task<Void, Never>] {
    guard hasStack("an effect") else { return [] }
    var inner = context
    if let dismissal { inner.dismissal = { sink(dismissal, $0) } }
    return runner.perform(operation, in: inner) { [embed] action, context in
      guard hasStack("an action") else { return context.finish() }
      sink(embed(action), context)
    }
  }
}

/// Whether the thread has enough stack for one more level; if not, reports what is dropped.
private func hasStack(_ what: String) -> Bool {
  if ReducerThread.current.hasStack { return true }
  RuntimeIssue.report(
    """
    \(what) comes from a child nested deeper than this thread's stack allows; it was dropped
      - use the store on an actor whose thread has more stack, as the host's has
    """)
  return false
}

extension Effect {
  /// Turns a child's effect into its parent's.
  ///
  /// - Parameters:
  ///   - scope: the child's scope; `nil` for the parent's own.
  ///   - dismissal: the parent's action that dismisses the child; `nil` leaves it to an outer
  ///     parent.
  ///   - embed: turns the child's action into the parent's.
  /// - Returns: the parent's effect.
  func embedded<Parent>(
    in scope: ScopeID?, dismissal: @autoclosure () -> Parent? = nil,
    _ embed: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    guard let operation else { return .none }
    let embedded: EffectOperation<Parent> =
      switch operation.kind {
      case .send(let action): EffectOperation(.send(embed(action)))
      case .endScope(let id): EffectOperation(.endScope(id))
      default:
        EffectOperation(
          .embedded(
            EmbeddedOperationBox(operation: operation, dismissal: dismissal(), embed: embed)))
      }
    return Effect<Parent>(scope.map { EffectOperation(.scoped(embedded, $0)) } ?? embedded)
  }

  /// Turns a child's effect into its parent's, in the scope `scope`.
  func embedded<Parent>(
    _ path: CasePath<Parent, Action>, in scope: ScopeID
  ) -> Effect<Parent> {
    embedded(in: scope, path.embedding)
  }

  /// The effect with type-erased actions.
  @usableFromInline
  func erased() -> Effect<AnyAction> {
    embedded(in: nil) { AnyAction($0) }
  }
}

extension Effect {
  /// Wraps the effect's actions in the parent's case for them.
  ///
  /// The operators for children do this; call it in a reducer that runs a child's reducer by hand.
  ///
  /// ```swift
  /// enum Clock: ComponentAction { case ticked }
  ///
  /// enum Parent: FeatureAction {
  ///   enum View: Codable, Sendable { case startTapped }
  ///   case view(View)
  ///   case clock(Clock)
  /// }
  ///
  /// func ticking() -> Effect<Clock> { .timer(every: .seconds(1), .ticked) }
  /// func parents() -> Effect<Parent> { ticking().map(/Parent.clock) }
  /// ```
  ///
  /// - Complexity: O(1); the actions are wrapped when they are sent.
  public func map<Parent>(_ path: CasePath<Parent, Action>) -> Effect<Parent> {
    embedded(in: nil, path.embed)
  }
}

extension Effect where Action: ComponentAction {
  /// Turns the effect's actions into those of another component, with the dependencies of this call.
  ///
  /// - Complexity: O(1); the actions are transformed when they are sent.
  public func map<Parent: ComponentAction>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    let dependencies = DependencyValues.current
    return embedded(in: nil) { action in
      DependencyValues.withCurrent(dependencies) { transform(action) }
    }
  }
}

/// Runs reducers within the scopes that the host gives their effects.
///
/// Without it, a reducer looks for the effects of its children in the scope of the whole store, and
/// does not end those of children that have left.
@_spi(Host)
public enum ScopedReducer {
  /// Whether effects of children run; otherwise the scope makes no difference.
  ///
  /// - Complexity: O(1); nothing is allocated.
  public static var isNeeded: Bool { ReducerThread.current.cursor != nil }

  /// Runs `body`, which calls a reducer, in the scope of ``Effect/scoped(to:)``.
  public static func run<Result>(
    in scope: some Hashable & Sendable, _ body: () -> Result
  ) -> Result {
    guard let cursor = ReducerThread.current.cursor else { return body() }
    let outer = cursor.enter(ScopeID(named: scope))
    defer { cursor.leave(to: outer) }
    return body()
  }
}

@_spi(Host)
extension Effect {
  /// Turns the effect's actions into those of the host.
  public func mapped<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> { embedded(in: nil, transform) }

  /// Runs the effect in a scope, which ``endScope(_:)`` ends.
  public func scoped(to scope: some Hashable & Sendable) -> Self {
    Self(operation.map { EffectOperation(.scoped($0, ScopeID(named: scope))) })
  }

  /// Cancels all effects that were started in a scope.
  public static func endScope(_ scope: some Hashable & Sendable) -> Self {
    Self(.endScope(ScopeID(named: scope)))
  }
}
