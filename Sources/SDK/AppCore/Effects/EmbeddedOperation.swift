/// A child's operation, with the function that turns its actions into those of a parent.
///
/// Each parent on the way to the root wraps the effect, in O(1); it is unwrapped when it is
/// performed.
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
  /// The parent's action that dismisses the child.
  private let dismissal: Action?

  init(
    _ operation: EffectOperation<Child>, dismissal: Action?,
    _ embed: @escaping @Sendable (Child) -> Action
  ) {
    self.operation = operation
    self.dismissal = dismissal
    self.embed = embed
  }

  // Operations are nested as deep as children are; releasing them recursively could overflow.
  deinit { CallStack.release(&operation) }

  func perform(in context: EffectContext<Action>, by runner: EffectRunner) -> [Task<Void, Never>] {
    guard let operation else { return [] }
    guard !CallStack.isLow else {
      RuntimeIssue.report(
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

/// Turns a child's actions into the parent's and passes them to the parent's sink.
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
      RuntimeIssue.report(
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
  /// Turns the effect's actions into those of a parent.
  func map<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    embedded(dismissal: nil, transform)
  }

  /// Turns the effect's actions into those of a parent; for the host.
  package func turned<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    map(transform)
  }

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
  /// - Parameter path: the case, as in `/Action.child`.
  /// - Returns: the parent's effect.
  /// - Complexity: O(1); the actions are wrapped when they are sent.
  public func map<Parent>(_ path: CasePath<Parent, Action>) -> Effect<Parent> { map(path.embed) }

  /// Turns a child's effect into its parent's.
  ///
  /// - Parameters:
  ///   - dismissal: the parent's action that dismisses the child; `nil` leaves it to an outer
  ///     parent.
  ///   - embed: turns the child's action into the parent's.
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

  /// Turns a child's effect into its parent's, in the scope `scope`.
  @usableFromInline
  func embedded<Parent>(
    _ path: CasePath<Parent, Action>, in scope: ScopeID
  ) -> Effect<Parent> {
    embedded(dismissal: nil, path.embedding).scoped(scope)
  }
}

extension Effect where Action: ComponentAction {
  /// Turns the effect's actions into those of another component.
  ///
  /// - Parameter transform: makes the other component's action, with the dependencies of this call.
  /// - Returns: the other component's effect.
  /// - Complexity: O(1); the actions are turned when they are sent.
  public func map<Parent: ComponentAction>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    let dependencies = DependencyValues.current
    return embedded(dismissal: nil) { action in
      DependencyValues.withCurrent(dependencies) { transform(action) }
    }
  }
}
