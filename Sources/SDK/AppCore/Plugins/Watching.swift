@_spi(Host)
extension AnyAction {
  /// Where the action lies, for whoever has to name it without holding it.
  public var address: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(box).toOpaque())
  }

  /// The action that lies at an address; somebody else holds it meanwhile.
  public init(at address: UnsafeRawPointer) {
    self.init(held: Unmanaged<ActionBox>.fromOpaque(address).takeUnretainedValue())
  }
}

/// The effect that the current thread is at work on.
@_spi(Host)
public enum RunningEffect {
  /// What it belongs to in its store; `nil` where nothing of this type, or no effect runs.
  ///
  /// Takes no lock, and allocates nothing after the first time.
  public static func scope<Scope: Hashable>(as type: Scope.Type) -> Scope? {
    EffectActivity.current?.scope?.outermost(as: type)
  }
}
