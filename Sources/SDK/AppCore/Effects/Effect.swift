/// The work that a reducer requests after changing the state: actions to send, operations to run.
///
/// An effect is a value; nothing happens until a store runs it. Put shared logic into a method that
/// returns an effect, to be combined with ``merge(_:)-(Effect...)``, or into a function that takes
/// a ``Send``; a reducer should not send an action to itself for that.
@frozen
public struct Effect<Action: Sendable>: Sendable {
  @usableFromInline let operation: EffectOperation<Action>?

  @inlinable
  init(_ operation: EffectOperation<Action>?) { self.operation = operation }

  init(_ kind: EffectOperation<Action>.Kind) { self.init(EffectOperation(kind)) }

  /// An effect that does nothing.
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

  /// Whether the effect does nothing.
  @inlinable
  public var isNone: Bool { operation == nil }
}

/// The operation of an effect.
///
/// It is a class whose content is opaque to plugins, so that a new kind of operation does not
/// affect plugins that are already built.
@usableFromInline
final class EffectOperation<Action: Sendable>: Sendable {
  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  /// Whether it only sends an action.
  var isSend: Bool {
    switch kind {
    case .send: true
    case .scoped(let operation, _): operation.isSend
    default: false
    }
  }

  enum Kind: Sendable {
    case send(Action)
    case run(EffectRun<Action>)
    case merge([EffectOperation])
    case concatenate([EffectOperation])
    case cancellable(EffectOperation, id: AnySendableHashable, cancelInFlight: Bool)
    /// Cancels the effects with an id: the reducer's, and if `ofChildren` those of its children.
    case cancel(AnySendableHashable, ofChildren: Bool)
    /// A child's operation.
    case embedded(any EmbeddedOperation<Action>)
    /// An operation whose effects end with a scope.
    case scoped(EffectOperation, ScopeID)
    /// Cancels all effects that were started in a scope.
    case endScope(ScopeID)
    /// Cancels all effects that were started in the scopes at a place, except those to be kept.
    case endScopes(at: ScopePlace, unless: @Sendable (ScopeElement) -> Bool)
    /// An operation that is performed at most once per interval.
    case throttled(EffectOperation, ThrottleOptions)
  }
}

/// Asynchronous work.
struct EffectRun<Action: Sendable>: Sendable {
  typealias Body = @Sendable (isolated Send<Action>) async -> Void

  let priority: TaskPriority?
  /// The dependencies of the reducer that made the effect.
  let dependencies: DependencyValues
  let body: Body

  init(priority: TaskPriority?, body: @escaping Body) {
    self.priority = priority
    self.body = body
    dependencies = .current
  }
}
