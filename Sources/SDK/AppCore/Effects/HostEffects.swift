@_spi(Host)
extension Effect {
  /// The same effect, its actions turned into those of the host.
  public func mapped<Parent>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> { map(transform) }

  /// Makes everything inside end when the scope does.
  public func scoped(to scope: some Hashable & Sendable) -> Self { scoped(EffectID(scope)) }

  /// Ends everything that was started in a scope.
  public static func endScope(_ scope: some Hashable & Sendable) -> Self {
    Self(.endScope(EffectID(scope)))
  }
}
