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
