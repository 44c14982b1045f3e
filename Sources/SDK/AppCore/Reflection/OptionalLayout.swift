/// Looks at optionals where they are.
///
/// In generic code, comparing an optional with `nil` or taking out its value copies it to the stack,
/// which may be smaller than the value.
@usableFromInline
enum OptionalLayout<Wrapped> {
  private static var tags: EnumWitnesses {
    EnumWitnesses(unsafeBitCast(Wrapped?.self as Any.Type, to: UnsafeRawPointer.self))
  }

  /// Whether there is nothing.
  static func isNil(_ pointer: UnsafePointer<Wrapped?>) -> Bool { tags.tag(at: pointer) == 1 }

  static func isNil(_ pointer: UnsafeMutablePointer<Wrapped?>) -> Bool {
    tags.tag(at: pointer) == 1
  }

  /// Puts nothing where nothing has been initialized.
  static func initializeToNil(_ pointer: UnsafeMutablePointer<Wrapped?>) {
    tags.inject(pointer, 1)
  }

  /// Where the value of an optional is that has one: at its start.
  @inlinable
  static func payload(_ pointer: UnsafeMutablePointer<Wrapped?>) -> UnsafeMutablePointer<Wrapped> {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Wrapped.self)
  }
}
