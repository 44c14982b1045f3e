@_spi(Host)
extension Effect {
  /// Turns the effect's actions into those of the host.
  public func mapped<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> { turned(transform) }

  /// Runs the effect in a scope, which ``endScope(_:)`` ends.
  public func scoped(to scope: some Hashable & Sendable) -> Self { scoped(ScopeID(named: scope)) }

  /// Cancels all effects that were started in a scope.
  public static func endScope(_ scope: some Hashable & Sendable) -> Self {
    .endingScope(ScopeID(named: scope))
  }
}
