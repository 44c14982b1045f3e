/// What a reducer asks to happen after it changed the state: actions to send, work to run.
///
/// An effect is a value; nothing happens until a store performs it. Shared logic is a method that
/// returns an effect, combined with ``merge(_:)-(Effect...)``, or a function that takes a ``Send``;
/// never an action sent to oneself.
public struct Effect<Action: Sendable>: Sendable {
  @usableFromInline package let operation: EffectOperation<Action>?

  @inlinable
  package init(_ operation: EffectOperation<Action>?) { self.operation = operation }

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
@usableFromInline
package indirect enum EffectOperation<Action: Sendable>: Sendable {
  case send(Action)
  case run(EffectRun<Action>)
  case merge([EffectOperation<Action>])
  case concatenate([EffectOperation<Action>])
  case cancellable(EffectOperation<Action>, id: EffectID, cancelInFlight: Bool)
  case cancel(EffectID)
  /// Everything started inside ends when the scope does.
  case scoped(EffectOperation<Action>, EffectID)
  /// Ends everything that was started inside a scope.
  case endScope(EffectID)
  /// Effects inside may dismiss themselves, which sends the action.
  case dismissing(EffectOperation<Action>, @Sendable () -> Action)
  /// Effects inside run with other dependencies.
  case updating(EffectOperation<Action>, @Sendable (inout DependencyValues) -> Void)
  /// At most one performance of what is inside for each interval.
  case throttled(EffectOperation<Action>, id: EffectID, interval: Duration, latest: Bool)
  /// A child's operation that is not yet turned into one of its parent.
  case mapped(MappedOperation<Action>)
}

/// Asynchronous work.
@usableFromInline
package struct EffectRun<Action: Sendable>: Sendable {
  package typealias Body =
    nonisolated(nonsending) @Sendable (EffectChannel<Action>) async -> Void

  package let body: Body
  package let priority: TaskPriority?

  package init(priority: TaskPriority?, body: @escaping Body) {
    self.priority = priority
    self.body = body
  }
}

/// Where an effect's actions go.
@usableFromInline
package struct EffectChannel<Action: Sendable>: Sendable {
  package let deliver: nonisolated(nonsending) @Sendable (Action) async -> Void

  package init(
    deliver: nonisolated(nonsending) @escaping @Sendable (Action) async -> Void
  ) {
    self.deliver = deliver
  }
}
