/// Inspects and initializes optionals in place.
///
/// In generic code, comparing an optional with `nil` or taking out its value copies it to the stack,
/// which may be smaller than the value.
@usableFromInline
enum OptionalLayout<Wrapped> {
  private static var tags: EnumWitnesses {
    EnumWitnesses(unsafeBitCast(Wrapped?.self as Any.Type, to: UnsafeRawPointer.self))
  }

  /// Whether the optional is `nil`.
  static func isNil(_ pointer: UnsafePointer<Wrapped?>) -> Bool { tags.tag(at: pointer) == 1 }

  static func isNil(_ pointer: UnsafeMutablePointer<Wrapped?>) -> Bool {
    tags.tag(at: pointer) == 1
  }

  /// Initializes uninitialized memory to `nil`.
  static func initializeToNil(_ pointer: UnsafeMutablePointer<Wrapped?>) {
    tags.inject(pointer, 1)
  }

  /// The address of the wrapped value, which is that of the optional; it must not be `nil`.
  @inlinable
  static func payload(_ pointer: UnsafeMutablePointer<Wrapped?>) -> UnsafeMutablePointer<Wrapped> {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Wrapped.self)
  }
}
