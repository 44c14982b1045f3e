/// The work that a reducer requests after changing the state: actions to send, operations to run.
///
/// An effect is a value; nothing happens until a store runs it. Put shared logic into a method that
/// returns an effect, combined with
/// ``merge(_:)-(Effect...)``, or into a function that takes a ``Send``; don't send an action to
/// yourself.
@frozen
public struct Effect<Action: Sendable>: Sendable {
  @usableFromInline let operation: EffectOperation<Action>?

  @inlinable
  init(_ operation: EffectOperation<Action>?) { self.operation = operation }

  init(_ kind: EffectOperation<Action>.Kind) { self.init(EffectOperation(kind)) }

  /// Nothing.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case tapped }
  ///
  /// let counter = Reduce<Int, Action> { count, action in
  ///   count += 1
  ///   return .none
  /// }
  /// ```
  @inlinable
  public static var none: Self { Self(nil) }

  /// Whether there is nothing to perform.
  @inlinable
  public var isNone: Bool { operation == nil }
}

/// What a store performs.
///
/// Plugins know it as a reference, whatever there is to perform: another kind changes nothing for
/// those that are built already.
@usableFromInline
final class EffectOperation<Action: Sendable>: Sendable {
  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  enum Kind: Sendable {
    case send(Action)
    case run(EffectRun<Action>)
    case merge([EffectOperation])
    case concatenate([EffectOperation])
    case cancellable(EffectOperation, id: AnySendableHashable, cancelInFlight: Bool)
    /// Ends the effects with an id: those of the reducer, and of its children where they are
    /// included.
    case cancel(AnySendableHashable, ofChildren: Bool)
    /// A child's operation.
    case embedded(any EmbeddedOperation<Action>)
    /// Everything started inside ends when the scope does.
    case scoped(EffectOperation, ScopeID)
    /// Ends everything that was started inside a scope.
    case endScope(ScopeID)
    /// Ends everything that was started inside the scopes at a place, but for those that are kept.
    case endScopes(at: ScopePlace, unless: @Sendable (ScopeElement) -> Bool)
    /// At most one performance of what is inside for each interval.
    case throttled(EffectOperation, ThrottleTerms)
  }
}

/// Asynchronous work.
struct EffectRun<Action: Sendable>: Sendable {
  typealias Body = @Sendable (isolated Send<Action>) async -> Void

  let priority: TaskPriority?
  /// Those of the reducer that made the effect.
  let dependencies: DependencyValues
  let body: Body

  init(priority: TaskPriority?, body: @escaping Body) {
    self.priority = priority
    self.body = body
    dependencies = .current
  }
}
