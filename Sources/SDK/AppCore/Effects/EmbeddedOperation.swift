/// A child's operation, with what makes its actions those of a parent.
///
/// An effect passes as many parents as children are nested: at each it is wrapped, in constant time,
/// and unwrapped when it is performed.
protocol EmbeddedOperation<Action>: AnyObject, Sendable {
  associatedtype Action: Sendable

  func perform(in context: EffectContext<Action>, by runner: EffectRunner) -> [Task<Void, Never>]
}

final class EmbeddedOperationBox<Child: Sendable, Action: Sendable>: EmbeddedOperation,
  @unchecked Sendable
{
  // Unchecked: `operation` is changed in `deinit` only.
  private var operation: EffectOperation<Child>?
  private let embed: @Sendable (Child) -> Action
  /// What the child sends to be dismissed.
  private let dismissal: Action?

  init(
    _ operation: EffectOperation<Child>, dismissal: Action?,
    _ embed: @escaping @Sendable (Child) -> Action
  ) {
    self.operation = operation
    self.dismissal = dismissal
    self.embed = embed
  }

  // What is inside may hold as many more as children are nested.
  deinit { CallStack.release(&operation) }

  func perform(in context: EffectContext<Action>, by runner: EffectRunner) -> [Task<Void, Never>] {
    guard let operation else { return [] }
    guard !CallStack.isLow else {
      Issue.report(
        """
        an effect comes from a child nested deeper than this thread's stack allows; it was dropped
          - use the store on an actor whose thread has more stack, as the host's has
        """)
      return []
    }
    let sink = EmbeddedSink(context.sink, embed)
    return runner.perform(operation, in: context.embedded(sink, dismissal: dismissal))
  }
}

/// Takes a child's actions and hands them to its parent.
private final class EmbeddedSink<Child: Sendable, Action: Sendable>: EffectSink,
  @unchecked Sendable
{
  // Unchecked: used on the store's actor only.
  private var outer: (any EffectSink<Action>)?
  private let embed: @Sendable (Child) -> Action

  init(_ outer: any EffectSink<Action>, _ embed: @escaping @Sendable (Child) -> Action) {
    self.outer = outer
    self.embed = embed
  }

  deinit { CallStack.release(&outer) }

  func take(_ action: Child, _ delivery: EffectDelivery) {
    guard !CallStack.isLow else {
      Issue.report(
        """
        an action comes from a child nested deeper than this thread's stack allows; it was dropped
          - use the store on an actor whose thread has more stack, as the host's has
        """)
      return delivery.finish()
    }
    outer?.take(embed(action), delivery)
  }
}

extension Effect {
  /// The same effect, its actions turned into those of a parent.
  func map<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    embedded(dismissal: nil, transform)
  }

  /// The same for the host.
  package func turned<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    map(transform)
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

  /// A child's effect as its parent's.
  ///
  /// - Parameters:
  ///   - dismissal: what the child sends to be dismissed.
  ///   - embed: makes the parent's action of the child's.
  /// - Returns: the parent's effect.
  @usableFromInline
  func embedded<Parent>(
    dismissal: Parent?, _ embed: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    guard let operation else { return .none }
    return switch operation.kind {
    case .send(let action): Effect<Parent>(.send(embed(action)))
    case .endScope(let id): Effect<Parent>(.endScope(id))
    default:
      Effect<Parent>(.embedded(EmbeddedOperationBox(operation, dismissal: dismissal, embed)))
    }
  }

  /// A child's effect as its parent's, ended with `scope`.
  @usableFromInline
  func embedded<Parent>(
    _ path: CasePath<Parent, Action>, in scope: ScopeID
  ) -> Effect<Parent> {
    embedded(dismissal: nil, path.embedding).scoped(scope)
  }
}

extension Effect where Action: ComponentAction {
  /// The same effect, its actions turned into others.
  ///
  /// - Parameter transform: makes an action of another component. It sees the dependencies around
  ///   this call.
  /// - Returns: the other component's effect.
  /// - Complexity: constant; the actions are turned when they are sent.
  public func map<Parent: ComponentAction>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    let dependencies = DependencyValues.current
    return embedded(dismissal: nil) { action in
      DependencyValues.withCurrent(dependencies) { transform(action) }
    }
  }
}
