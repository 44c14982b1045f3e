@_spi(Host)
extension AnyAction {
  /// The action's address, for referring to it without retaining it.
  public var address: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(box).toOpaque())
  }

  /// The action at an address; the caller ensures that it is still retained.
  public init(at address: UnsafeRawPointer) {
    self.init(held: Unmanaged<ActionBox>.fromOpaque(address).takeUnretainedValue())
  }
}
