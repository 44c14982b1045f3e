extension Effect {
  /// The same effect, its actions turned into those of a parent.
  ///
  /// - Complexity: constant, however many operations the effect is made of: they are turned when
  ///   they are performed.
  package func map<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    Effect<Parent>(operation?.map(transform))
  }

  /// The same effect, its actions turned into those of the parent's case for them.
  ///
  /// The operators for children do this. It is for a reducer that runs a child's by hand.
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
  /// - Parameter path: the case, as in `/Action.child`.
  /// - Returns: the parent's effect.
  /// - Complexity: constant; the actions are turned when they are sent.
  public func map<Parent>(_ path: CasePath<Parent, Action>) -> Effect<Parent> { map(path.embed) }
}

extension Effect where Action: ComponentAction {
  /// The same effect, its actions turned into others.
  ///
  /// - Parameter transform: makes an action of another component.
  /// - Returns: the other component's effect.
  /// - Complexity: constant; the actions are turned when they are sent.
  public func map<Parent: ComponentAction>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    Effect<Parent>(operation?.map(transform))
  }
}

extension EffectOperation {
  /// Whether enough of the thread's stack is left to perform what is inside; that it is not is
  /// reported.
  static func hasStack() -> Bool {
    guard CallStack.isLow else { return true }
    Issue.report(
      """
      an effect comes from a child nested deeper than this thread's stack allows; it was dropped
        - use the store on an actor whose thread has more stack, as the host's has
      """)
    return false
  }

  /// The same operation for a parent, turned now where that takes no time, else when performed:
  /// an effect passes as many parents as children are nested.
  fileprivate func map<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> EffectOperation<Parent> {
    switch self {
    case .send(let action): .send(transform(action))
    case .cancel(let id): .cancel(id)
    case .endScope(let id): .endScope(id)
    case .mapped(let operation): operation.mapped(transform)
    default: .mapped(MappedOperationOf(self, transform))
    }
  }

  /// The outermost operation turned; what is inside waits.
  fileprivate func expanded<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> EffectOperation<Parent> {
    switch self {
    case .send, .cancel, .endScope, .mapped: map(transform)
    case .run(let run):
      .run(
        EffectRun<Parent>(priority: run.priority) { channel in
          await run.body(EffectChannel { await channel.deliver(transform($0)) })
        })
    case .merge(let operations): .merge(operations.map { $0.map(transform) })
    case .concatenate(let operations): .concatenate(operations.map { $0.map(transform) })
    case .cancellable(let operation, let id, let cancelInFlight):
      .cancellable(operation.map(transform), id: id, cancelInFlight: cancelInFlight)
    case .scoped(let operation, let id): .scoped(operation.map(transform), id)
    case .dismissing(let operation, let action):
      .dismissing(operation.map(transform)) { transform(action()) }
    case .updating(let operation, let update): .updating(operation.map(transform), update)
    case .throttled(let operation, let id, let interval, let latest):
      .throttled(operation.map(transform), id: id, interval: interval, latest: latest)
    }
  }
}

/// A child's operation with what turns its actions into those of a parent.
@usableFromInline
package class MappedOperation<Action: Sendable>: @unchecked Sendable {
  // Unchecked: a class with one subclass, which holds constants of Sendable types only.

  /// The operation for the parent; what is inside it may be mapped in turn.
  package var expanded: EffectOperation<Action> {
    fatalError("\(Self.self) does not say what it stands for")
  }

  fileprivate func mapped<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> EffectOperation<Parent> {
    fatalError("\(Self.self) does not say how it is turned")
  }
}

private final class MappedOperationOf<Inner: Sendable, Action: Sendable>:
  MappedOperation<Action>, @unchecked Sendable
{
  private let inner: EffectOperation<Inner>
  private let transform: @Sendable (Inner) -> Action

  init(_ inner: EffectOperation<Inner>, _ transform: @escaping @Sendable (Inner) -> Action) {
    self.inner = inner
    self.transform = transform
  }

  override var expanded: EffectOperation<Action> { inner.expanded(transform) }

  override func mapped<Parent>(
    _ outer: @escaping @Sendable (Action) -> Parent
  ) -> EffectOperation<Parent> {
    let transform = transform
    return .mapped(MappedOperationOf<Inner, Parent>(inner) { outer(transform($0)) })
  }
}
